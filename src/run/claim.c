/* SPDX-License-Identifier: MIT */
/* Locks on folders. */
#include "run/claim.h"

#include "core/error.h"
#include "io/file.h"
#include "io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

rill_status rill_run_claim_take(run_claim *claim, const char *folder, rill_error *error) {
    TRY(rill_io_make_directory(folder, error));
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return rill_io_fail(error, errno, "open the folder", folder);
    /* on file systems without locks every claim succeeds */
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(descriptor);
        return rill_fail(error, RILL_IO,
                         "%s: another process of Rill is writing there; wait for it, or choose another "
                         "--out",
                         folder);
    }
    *claim = (run_claim){.held = true, .descriptor = descriptor};
    return RILL_OK;
}

void rill_run_claim_release(run_claim *claim) {
    if (claim->held) close(claim->descriptor);
    *claim = (run_claim){0};
}
