import { calling } from "../pages/api";
import { Frame } from "../pages/frame";
import { expect, test } from "../saldo";
test.use({ size: "small", viewport: { width: 390, height: 844 } });
test("many", async ({ page, saldo }) => {
  const call = calling(page);
  const frame = new Frame(page);
  await frame.resume(saldo.people.anna, "/app/?lang=pl");
  const now = await call<object>("GET", "/api/partners/driver-functions");
  await call("PUT", "/api/partners/driver-functions", { ...now, 1: true, 2: true, 3: true, 4: true });
  await frame.resume(saldo.people.oleh, "/app/time-tracker?lang=pl");
  const session = await call<{ user: { id: string }; partner: { id: string } }>("GET", "/api/session");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("saldo.starts"))).toBe("1");
  await page.context().setOffline(true);
  await page.evaluate(
    async ({ owner, partner }) => {
      const db = await new Promise<IDBDatabase>((done) => {
        const o = indexedDB.open("saldo.tracking");
        o.onsuccess = () => done(o.result);
      });
      const get = <T>(r: IDBRequest<T>) =>
        new Promise<T>((done) => {
          r.onsuccess = () => done(r.result);
        });
      const { key } = (await get(db.transaction("keys").objectStore("keys").get(owner))) as { key: CryptoKey };
      const rows = await Promise.all(
        Array.from({ length: 1000 }, async (_, n) => {
          const iv = crypto.getRandomValues(new Uint8Array(12));
          const day = new Date(Date.now() - (n % 20) * 864e5).toISOString().slice(0, 10);
          const entry = {
            occurredOn: day,
            startAt: "08:00",
            endAt: "",
            startPlace: `Miejsce ${n}`,
            endPlace: "",
            amount: 1000 + n,
            payment: "cash",
          };
          const data = await crypto.subtle.encrypt(
            { name: "AES-GCM", iv },
            key,
            new TextEncoder().encode(JSON.stringify(entry)),
          );
          return {
            id: crypto.randomUUID(),
            owner,
            partner,
            kind: "trip",
            deleted: false,
            version: 0,
            saved: false,
            revision: 1,
            at: Date.now() + n,
            state: "waiting",
            photos: [],
            gone: [],
            body: { iv, data },
          };
        }),
      );
      const tx = db.transaction("outbox", "readwrite");
      for (const row of rows) tx.objectStore("outbox").put(row);
      await new Promise((done) => {
        tx.oncomplete = done;
      });
      db.close();
    },
    { owner: session.user.id, partner: session.partner.id },
  );
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  for (let round = 0; round < 3; round++) {
    await page.goto("about:blank").catch(() => undefined);
    const t0 = Date.now();
    await page.goto("/app/trip-tracker");
    await expect(page.locator("main li a").nth(999)).toBeAttached();
    const warm = await page.evaluate(async () => {
      history.pushState(null, "", "/app/time-tracker");
      dispatchEvent(new PopStateEvent("popstate"));
      await new Promise((d) => setTimeout(d, 1500));
      const t = performance.now();
      history.pushState(null, "", "/app/trip-tracker");
      dispatchEvent(new PopStateEvent("popstate"));
      while (document.querySelectorAll("main li a").length < 1000) await new Promise((d) => setTimeout(d, 4));
      return performance.now() - t;
    });
    const nav = await page.evaluate(() =>
      performance.getEntriesByType("paint").map((p) => [p.name, Math.round(p.startTime)]),
    );
    console.log(
      `second visit offline: 1000 rows there after ${Date.now() - t0 - 1500 - Math.round(warm)} ms, opening the list again ${Math.round(warm)} ms, ${JSON.stringify(nav)}`,
    );
  }
  const start = Date.now();
  await page.context().setOffline(false);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(page.getByText(/na wysłanie|Wysyłanie|Na telefonie/)).toHaveCount(0, { timeout: 240_000 });
  const { totals } = await call<{ totals: { count: number; cash: number } }>("GET", "/api/trips");
  console.log(`sent in ${Date.now() - start} ms`, JSON.stringify(totals), 1000 * 1000 + (999 * 1000) / 2);
});
