// The service worker of drivers: it keeps the application, so that trips and working time can be written down without a line, and it
// shows notifications. It keeps files of the application alone: no answer of the server about anybody, nothing of signing in.
// SHELL is written in front of it by the build: { version, files, languages }.
const APP = "/app/";
const CACHE = `saldo ${SHELL.version}`;
const SETTINGS = "saldo settings";
/** How long a page waits for the line before it is shown from what is kept. */
const LINE_MS = 3000;
/** Pages that are not the application: the page of a mailed link, that of a code on a document, and the silent check of who is here. */
const OTHERS = ["/app/driver-summary/", "/app/verify/", "/app/silent-check-sso.html"];

async function language() {
  const kept = await (await caches.open(SETTINGS)).match(`${APP}language`);
  return kept ? kept.text() : "";
}

async function keep(files) {
  const cache = await caches.open(CACHE);
  const missing = [];
  for (const file of files) if (!(await cache.match(file))) missing.push(file);
  // Names of files change with what is in them; only the page itself keeps its name.
  await cache.addAll(missing.map((file) => (file === APP ? new Request(file, { cache: "reload" }) : file)));
}

self.addEventListener("install", (event) => {
  event.waitUntil((async () => keep([...SHELL.files, ...(SHELL.languages[await language()] ?? [])]))());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith("saldo ") && name !== CACHE && name !== SETTINGS) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("message", (event) => {
  const { type, language: wanted } = event.data ?? {};
  if (type === "update") self.skipWaiting();
  if (type === "language" && SHELL.languages[wanted])
    event.waitUntil(
      (async () => {
        await (await caches.open(SETTINGS)).put(`${APP}language`, new Response(wanted));
        await keep(SHELL.languages[wanted]);
      })(),
    );
});

const later = (ms) => new Promise((_, failed) => setTimeout(failed, ms));

async function page(request) {
  try {
    const answer = await Promise.race([fetch(request), later(LINE_MS)]);
    if (answer.status < 500) return answer;
  } catch {
    // The line is cut or too slow.
  }
  return (await caches.match(APP)) ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || !url.pathname.startsWith(APP)) return;
  if (request.mode === "navigate") {
    // What comes back from signing in belongs to the line alone.
    if (!OTHERS.some((one) => url.pathname.startsWith(one))) event.respondWith(page(request));
    return;
  }
  if (SHELL.files.includes(url.pathname) || Object.values(SHELL.languages).some((of) => of.includes(url.pathname)))
    event.respondWith((async () => (await caches.match(url.pathname)) ?? fetch(request))());
});

// Notifications.

// Also those that were opened before there was a service worker.
const PAGES = { type: "window", includeUncontrolled: true };

// Only a path of the application is ever opened, whatever was sent.
function inside(path) {
  try {
    const url = new URL(path, self.location.origin);
    if (url.origin === self.location.origin && url.pathname.startsWith(APP)) return url.pathname;
  } catch {
    // It is no address.
  }
  return APP;
}

self.addEventListener("push", (event) => {
  let note = {};
  try {
    note = event.data?.json() ?? {};
  } catch {
    // Something is shown all the same: a push without a notification ends the subscription.
  }
  const path = inside(note.path);
  event.waitUntil(
    (async () => {
      await self.registration.showNotification(String(note.title || "Saldo"), {
        body: String(note.topic ?? ""),
        tag: path,
        renotify: true,
        icon: `${APP}icon-192.png`,
        data: { path },
      });
      for (const page of await self.clients.matchAll(PAGES)) page.postMessage({ type: "note" });
    })(),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = inside(event.notification.data?.path);
  event.waitUntil(
    (async () => {
      const pages = await self.clients.matchAll(PAGES);
      const page = pages.find((one) => new URL(one.url).pathname === path) ?? pages[0];
      if (!page) return self.clients.openWindow(path);
      if (new URL(page.url).pathname === path) return page.focus();
      try {
        return await (await page.navigate(path)).focus();
      } catch {
        return self.clients.openWindow(path); // a page from before the worker cannot be led
      }
    })(),
  );
});
