import { afterEach, vi } from "vitest";

afterEach(() => {
  if ("serviceWorker" in navigator) Reflect.deleteProperty(navigator, "serviceWorker");
});

const bytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

/** A browser that can show notifications, with a push service that may be out of reach. */
export function pushingBrowser(answer: NotificationPermission, start: NotificationPermission = "default") {
  const state = { permission: start, reachable: true, registered: "", subscribed: false, asked: 0 };
  const listeners = new Set<(event: MessageEvent) => void>();
  const keyBytes = { p256dh: "BAAA", auth: "AQID" };
  let applicationServerKey = "";
  const subscription = {
    endpoint: "https://push.example.com/phone",
    getKey: (name: keyof typeof keyBytes) => bytes(keyBytes[name]).buffer,
    get options() {
      return { applicationServerKey: bytes(applicationServerKey).buffer };
    },
    unsubscribe: () => {
      state.subscribed = false;
      return Promise.resolve(true);
    },
  };
  const registration = {
    pushManager: {
      getSubscription: () => Promise.resolve(state.subscribed ? subscription : null),
      subscribe: (options: { applicationServerKey: string }) => {
        if (!state.reachable) return new Promise(() => undefined);
        applicationServerKey = options.applicationServerKey;
        state.subscribed = true;
        return Promise.resolve(subscription);
      },
    },
  };
  vi.stubGlobal("PushManager", {});
  vi.stubGlobal("Notification", {
    get permission() {
      return state.permission;
    },
    requestPermission: () => {
      state.asked++;
      state.permission = answer;
      return Promise.resolve(answer);
    },
  });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: {
      register: (path: string) => {
        state.registered = path;
        return Promise.resolve(registration);
      },
      getRegistration: () => Promise.resolve(state.registered ? registration : undefined),
      ready: Promise.resolve(registration),
      addEventListener: (_: string, listener: (event: MessageEvent) => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: (event: MessageEvent) => void) => listeners.delete(listener),
    },
  });
  const tell = (data: unknown) => {
    for (const listener of listeners) listener(new MessageEvent("message", { data }));
  };
  return { state, tell };
}
