/** Tells when a notification came while a page is open. */
export function onNote(listener: () => void): () => void {
  if (!("serviceWorker" in navigator)) return () => undefined;
  const listen = ({ data }: MessageEvent<{ type?: string } | undefined>) => {
    if (data?.type === "note") listener();
  };
  navigator.serviceWorker.addEventListener("message", listen);
  return () => navigator.serviceWorker.removeEventListener("message", listen);
}
