import { ConfigProvider } from "antd";
import { LoaderCircle } from "lucide-react";
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from "react";
import { PHONE, useMedia } from "../browser/media";
import { recall, remember } from "../browser/storage";
import { useAntdLocale } from "../i18n";
import { type Mode, PETROL, variables } from "./palette";
import { makeTheme } from "./theme";

/** What a person chose: a mode, or whatever the system says. */
type Choice = Mode | "system";

interface Appearance {
  choice: Choice;
  choose: (choice: Choice) => void;
  /** Dresses the interface in a partner's colour; undefined takes it off. */
  dress: (colour: string | undefined) => void;
}

const Context = createContext<Appearance | undefined>(undefined);

function remembered(): Choice {
  const choice = recall("localStorage", "mode");
  return choice === "light" || choice === "dark" ? choice : "system";
}

// Ant Design's own says "loading" in English to whoever listens.
const BUSY = <LoaderCircle aria-hidden size={16} strokeWidth={1.75} className="spin" />;

const isColour = (colour: string) => /^#[0-9a-f]{6}$/i.test(colour);

/** Gives everything below it one theme: the same colours to Ant Design and to our stylesheets. */
export function AppearanceProvider({ children }: { children: ReactNode }) {
  const [choice, setChoice] = useState(remembered);
  const [partner, setPartner] = useState<string>();
  const darkSystem = useMedia("(prefers-color-scheme: dark)");
  const phone = useMedia(PHONE);
  const still = useMedia("(prefers-reduced-motion: reduce)");
  const locale = useAntdLocale();
  const mode: Mode = choice === "system" ? (darkSystem ? "dark" : "light") : choice;
  const brand = partner && isColour(partner) ? partner : PETROL;

  const theme = useMemo(() => makeTheme(brand, mode, { phone, still }), [brand, mode, phone, still]);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.colorScheme = mode;
    for (const [name, value] of Object.entries(variables(brand, mode))) style.setProperty(name, value);
  }, [brand, mode]);

  const value = useMemo<Appearance>(
    () => ({
      choice,
      choose: (next) => {
        setChoice(next);
        remember("localStorage", "mode", next === "system" ? null : next);
      },
      dress: setPartner,
    }),
    [choice],
  );

  return (
    <Context value={value}>
      <ConfigProvider
        theme={theme}
        {...(locale && { locale })}
        wave={{ disabled: true }}
        button={{ loadingIcon: BUSY }}
      >
        {children}
      </ConfigProvider>
    </Context>
  );
}

export function useAppearance(): Appearance {
  const appearance = useContext(Context);
  if (!appearance) throw new Error("useAppearance outside of its provider");
  return appearance;
}
