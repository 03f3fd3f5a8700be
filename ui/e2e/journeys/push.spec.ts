import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";

// The engine without the parts of a desktop program shows no notifications.
test.use({
  size: "small",
  viewport: { width: 390, height: 844 },
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  },
});

interface Manifest {
  start_url: string;
  scope: string;
  display: string;
  icons: { src: string; sizes: string; purpose?: string }[];
}

test("the application can be installed: its manifest and icons are served", async ({ page, saldo }) => {
  await new Frame(page).resume(saldo.people.oleh, "/app/driver/board?lang=pl");
  const address = await page.locator('link[rel="manifest"]').getAttribute("href");
  const answer = await page.request.get(address ?? "");
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const manifest = (await answer.json()) as Manifest;
  expect(manifest).toMatchObject({ start_url: "/app/", scope: "/app/", display: "standalone" });
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose ?? ""}`.trim())).toEqual([
    "192x192",
    "512x512",
    "512x512 maskable",
  ]);
  const apple = await page.locator('link[rel="apple-touch-icon"]').getAttribute("href");
  const icons = [...manifest.icons, { src: apple ?? "", sizes: "180x180" }];
  for (const { src, sizes } of icons) {
    const size = await page.evaluate(
      async (from) => {
        const image = new Image();
        image.src = from;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      },
      new URL(src, new URL(address ?? "", page.url())).href,
    );
    expect(size, src).toBe(sizes);
  }
  const devtools = await page.context().newCDPSession(page);
  expect((await devtools.send("Page.getAppManifest")).errors).toEqual([]);
});

test("a pushed note is shown, the bell asks anew, and a tap opens the board", async ({ page, saldo }) => {
  const context = page.context();
  await new Frame(page).resume(saldo.people.oleh, "/app/driver/profile?lang=pl");
  await context.grantPermissions(["notifications"]);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("/app/worker.js", { scope: "/app/" });
    await navigator.serviceWorker.ready;
  });
  await page.reload(); // from now on the worker leads the page
  await expect(page.getByRole("heading", { name: "Jak Cię zawiadamiać" })).toBeVisible();

  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((found) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const one = registrations.find(({ scopeURL }) => scopeURL.endsWith("/app/"));
      if (one) found(one.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  const asked = page.waitForRequest("**/api/session");
  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify({ title: "Wrzos Mobility", topic: "Wypłata wysłana", path: "/app/driver/board" }),
  });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`);
    });
  await expect.poll(shown).toEqual(["Wrzos Mobility: Wypłata wysłana"]);
  await asked;

  // A browser without a screen has nothing to tap, so the worker is handed the event.
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      dispatchEvent: (event: Event) => boolean;
      NotificationEvent: new (type: string, init: object) => Event;
    };
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification }));
  });
  await expect(page).toHaveURL(/\/driver\/board/);
  await expect.poll(shown).toEqual([]);
});
