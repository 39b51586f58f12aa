// SPDX-License-Identifier: MIT
// The buttons' icons as drawings of 24 x 24: not all systems have fonts with them.

const LINES = {
    scenes: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
    reset: 'M5 5v5h5M5.5 10a7 7 0 1 1-.5 4',
    rewind: 'M11 6v12l-8-6zM20 6v12l-8-6z',
    play: 'M7 5v14l11-7z',
    pause: 'M8 5v14M16 5v14',
    step: 'M6 5v14l9-7zM18 5v14',
    help: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1.5-1 2.5M12 18v.5',
    panel: 'M4 7h16M4 12h16M4 17h16',
    hand: 'M8 12V6a1.5 1.5 0 0 1 3 0v5V4.5a1.5 1.5 0 0 1 3 0V11V6a1.5 1.5 0 0 1 3 0v8c0 4-2 6-5 6-2.5 0-4-1-5.5-3.5L4.5 13a1.4 1.4 0 0 1 2.5-1z',
    push: 'M3 8c3-3 5 3 8 0s5 3 8 0M3 14c3-3 5 3 8 0s5 3 8 0M17 4l4 4-4 4',
    pour: 'M12 3c3.5 4.5 6 7.5 6 11a6 6 0 0 1-12 0c0-3.5 2.5-6.5 6-11z',
    erase: 'M9 20h11M5 16l9-11 6 5-8 10H8z',
    wall: 'M4 20l3-1L19 7l-2-2L5 17zM14 8l2 2',
    box: 'M5 5h14v14H5zM5 5l14 14',
    gauge: 'M4 17a8 8 0 1 1 16 0M12 17l4-6',
};

export function icon(name) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    made.setAttribute('viewBox', '0 0 24 24');
    made.setAttribute('class', 'icon');
    made.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', LINES[name]);
    made.append(path);
    return made;
}

// Puts the icon in front of the text of every element with data-icon.
export function placeIcons() {
    for (const place of document.querySelectorAll('[data-icon]')) place.prepend(icon(place.dataset.icon));
}
