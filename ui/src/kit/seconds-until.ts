import { useEffect, useState } from "react";

/** The seconds until an instant by the server's clock, whatever this computer's says. */
export function useSecondsUntil(
  instant: string | null | undefined,
  serverNow: string | undefined,
  heardAt: number,
): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!instant) return;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [instant]);
  if (!instant || !serverNow) return 0;
  const left = Date.parse(instant) - Date.parse(serverNow) - Math.max(0, now - heardAt);
  return Math.max(0, Math.ceil(left / 1000));
}
