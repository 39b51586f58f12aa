// SPDX-License-Identifier: MIT
// Threads need a page that is cross-origin isolated, for which plain static servers do not send the two headers. This file,
// as a service worker, adds them to the server's answers. The page registers it and reloads once.

if (typeof window === 'undefined') {
    addEventListener('install', () => skipWaiting());
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => {
        const { request } = event;
        if (new URL(request.url).origin !== location.origin || (request.cache === 'only-if-cached' && request.mode !== 'same-origin')) return;
        event.respondWith(fetch(request).then((answer) => {
            const headers = new Headers(answer.headers);
            headers.set('Cross-Origin-Opener-Policy', 'same-origin');
            headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
            return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
        }));
    });
}

// True when the page is about to reload: then nothing should be started.
export async function isolate() {
    if (crossOriginIsolated || !isSecureContext || !navigator.serviceWorker) return false;
    try {
        if (sessionStorage.getItem('rill-isolated')) return false; // A browser that refuses is asked only once.
        await navigator.serviceWorker.register(new URL('./isolation.js', import.meta.url), { type: 'module' });
        await navigator.serviceWorker.ready;
        sessionStorage.setItem('rill-isolated', 'tried');
        location.reload();
        return true;
    } catch {
        return false; // The engine then uses one thread.
    }
}
