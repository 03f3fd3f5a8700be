// The service worker that shows notifications. It keeps nothing and answers no requests of pages.
const APP = "/app/";
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
