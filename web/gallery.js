// SPDX-License-Identifier: MIT
// All scenes with their pictures. Links keep the rest of the address (a token).
import { Theme } from './theme.js';

new Theme();
const cards = document.getElementById('cards'), filter = document.getElementById('filter');

function card({ name, about, dim, particles, method, picture: address }) {
    const link = document.createElement('a'), query = new URLSearchParams(location.search);
    query.set('scene', name);
    link.className = 'card';
    link.href = `index.html?${query}`;
    link.dataset.dim = dim;
    const picture = document.createElement('img');
    if (address) Object.assign(picture, { src: address, alt: '', loading: 'lazy' }); // the user's own scenes have none
    const text = document.createElement('div'), title = document.createElement('h2'), facts = document.createElement('p');
    title.textContent = name.replaceAll('_', ' ');
    facts.className = 'quiet';
    const known = [`${dim}D`, method, particles && `${particles.toLocaleString('en')} particles`].filter(Boolean);
    facts.textContent = `${known.join(', ')}. ${about}`;
    text.append(title, facts);
    link.append(picture, text);
    return link;
}

function show(scenes) {
    cards.replaceChildren(...scenes.filter(({ dim }) => !filter.value || String(dim) === filter.value).map(card));
}

try {
    const answer = await fetch('scenes/index.json');
    if (!answer.ok) throw new Error(answer.statusText);
    const scenes = await answer.json();
    filter.onchange = () => show(scenes);
    show(scenes);
} catch (error) {
    cards.textContent = `The list of scenes could not be read: ${error.message}`;
}
