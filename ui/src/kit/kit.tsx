import { ConfigProvider } from "antd";
import { LoaderCircle } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { PHONE, useMedia } from "../browser/media";
import { useAppearance } from "../components/appearance";
import { useAntdLocale } from "../i18n";
import { makeTheme } from "./theme";
import "./select.css";

// Ant Design's own says "loading" in English to whoever listens.
const BUSY = <LoaderCircle aria-hidden size={16} strokeWidth={1.75} className="spin" />;

/** Gives Ant Design the colours and the language of the screen. */
export function Kit({ children }: { children: ReactNode }) {
  const { mode, brand } = useAppearance();
  const phone = useMedia(PHONE);
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const locale = useAntdLocale();
  const theme = useMemo(() => makeTheme(brand, mode, { phone, still }), [brand, mode, phone, still]);
  return (
    <ConfigProvider theme={theme} {...(locale && { locale })} wave={{ disabled: true }} button={{ loadingIcon: BUSY }}>
      {children}
    </ConfigProvider>
  );
}
