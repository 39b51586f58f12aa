# SPDX-License-Identifier: MIT
"""Opens the frames that write_frames wrote with VTK's own readers and compares them with the plain text beside them."""
import os
import subprocess
import sys
import xml.etree.ElementTree

import vtk  # a failure here is a failure of the test: install python3-vtk9


def fail(message):
    sys.exit("open_frames: " + message)


def expect(name, found, wanted):
    if found != wanted:
        fail(f"{name}: found {found!r}, expected {wanted!r}")


def open_with(reader, path):
    messages = []
    observer = lambda caller, event: messages.append(event)
    reader.AddObserver("ErrorEvent", observer)
    reader.AddObserver("WarningEvent", observer)
    reader.SetFileName(path)
    reader.Update()
    expect(path + ": errors and warnings", messages, [])
    return reader.GetOutput()


def check_vtp(folder, name, dim):
    path = os.path.join(folder, name + ".vtp")
    data = open_with(vtk.vtkXMLPolyDataReader(), path)
    rows = [line.split() for line in open(os.path.join(folder, name + ".txt"), encoding="ascii")]
    expect(path + ": points", data.GetNumberOfPoints(), len(rows))
    expect(path + ": vertex cells", data.GetNumberOfVerts(), len(rows))
    expect(path + ": cells", data.GetNumberOfCells(), len(rows))
    field = data.GetFieldData()
    expect(path + ": time", field.GetArray("TimeValue").GetValue(0), 2.0**-20 if rows else 0.0)
    expect(path + ": spacing", field.GetArray("spacing").GetValue(0), 0.125)
    expect(path + ": dimension", field.GetArray("dimension").GetValue(0), dim)
    points = data.GetPointData()
    velocity, ids = points.GetArray("velocity"), points.GetArray("id")
    expect(path + ": velocity components", velocity.GetNumberOfComponents(), 3)
    expect(path + ": id type", ids.GetDataTypeAsString().split()[0], "unsigned")
    expect(path + ": bytes of an id", ids.GetDataTypeSize(), 8)
    for array in ("density", "pressure", "fluid"):
        if points.GetArray(array) is None:
            fail(f"{path}: has no {array}")
        expect(f"{path}: values of {array}", points.GetArray(array).GetNumberOfTuples(), len(rows))
    for k, row in enumerate(rows):
        expect(f"{path}: id of {k}", int(ids.GetValue(k)), int(row[0]))
        numbers = tuple(float(text) for text in row[1:])
        found = data.GetPoint(k) + velocity.GetTuple3(k)
        if any(abs(a - b) > 1e-6 * abs(b) for a, b in zip(found, numbers)):
            fail(f"{path}: particle {k}: found {found}, expected {numbers}")
        expect(f"{path}: type of cell {k}", data.GetCellType(k), vtk.VTK_VERTEX)
        if k < 200:
            expect(f"{path}: point of cell {k}", data.GetCell(k).GetPointId(0), k)


def check_ply(folder, name):
    path = os.path.join(folder, name + ".ply")
    rows = [line.split() for line in open(os.path.join(folder, name + ".txt"), encoding="ascii")]
    data = open_with(vtk.vtkPLYReader(), path)
    expect(path + ": points", data.GetNumberOfPoints(), len(rows))
    for k in range(0, len(rows), 7):
        numbers = tuple(float(text) for text in rows[k][1:4])
        if any(abs(a - b) > 1e-6 * abs(b) for a, b in zip(data.GetPoint(k), numbers)):
            fail(f"{path}: particle {k}: found {data.GetPoint(k)}, expected {numbers}")


def check_series(folder):
    root = xml.etree.ElementTree.parse(os.path.join(folder, "series.pvd")).getroot()
    expect("series type", root.get("type"), "Collection")
    found = [(float(entry.get("timestep")), entry.get("file")) for entry in root.iter("DataSet")]
    expect("series", found, [(0.0, "flat.vtp"), (0.1, "solid.vtp"), (0.2, 'a "<b>" & c.vtp')])


def check_surfaces(folder, dim):
    path = os.path.join(folder, f"bodies_{dim}d.vtp")
    data = open_with(vtk.vtkXMLPolyDataReader(), path)
    lines, triangles = data.GetNumberOfLines(), data.GetNumberOfPolys()
    expect(path + ": cells", (lines > 40, triangles > 500), (dim == 2, dim == 3))
    expect(path + ": bounds", data.GetBounds(), (0.0, 2.0, 0.0, 3.0, 0.0, 4.0 if dim == 3 else 0.0))
    solid, body = (data.GetCellData().GetArray(name) for name in ("solid", "body"))
    expect(path + ": solids", solid.GetRange(), (0.0, 1.0))
    expect(path + ": bodies", body.GetRange(), (-1.0, 0.0))
    expect(path + ": velocity", data.GetPointData().GetArray("velocity").GetRange(0), (0.0, 1.0))
    for k in range(data.GetNumberOfCells()):
        expect(path + ": corners", data.GetCell(k).GetNumberOfPoints(), dim)
        inside = all(abs(data.GetPoint(data.GetCell(k).GetPointId(n))[0] - 1) <= 0.5 for n in range(dim))
        if body.GetValue(k) == 0 and not inside:
            fail(f"{path}: cell {k} of the ball lies outside it")


def main():
    program, folder = sys.argv[1:]
    subprocess.run([program, folder], check=True)
    for name, dim in (("flat", 2), ("solid", 3), ("empty", 3)):
        check_vtp(folder, name, dim)
    check_ply(folder, "flat")
    check_ply(folder, "solid")
    check_series(folder)
    check_surfaces(folder, 2)
    check_surfaces(folder, 3)


main()
