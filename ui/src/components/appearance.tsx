import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from "react";
import { useMedia } from "../browser/media";
import { recall, remember } from "../browser/storage";
import { type Mode, PETROL, variables } from "./palette";

/** What a person chose: a mode, or whatever the system says. */
type Choice = Mode | "system";

interface Appearance {
  choice: Choice;
  choose: (choice: Choice) => void;
  /** What is on screen: the mode and the colour. */
  mode: Mode;
  brand: string;
  /** Dresses the interface in a partner's colour; undefined takes it off. */
  dress: (colour: string | undefined) => void;
}

const Context = createContext<Appearance | undefined>(undefined);

function remembered(): Choice {
  const choice = recall("localStorage", "mode");
  return choice === "light" || choice === "dark" ? choice : "system";
}

const isColour = (colour: string) => /^#[0-9a-f]{6}$/i.test(colour);

/** Gives the stylesheets of everything below it their colours. */
export function AppearanceProvider({ children }: { children: ReactNode }) {
  const [choice, setChoice] = useState(remembered);
  const [partner, setPartner] = useState<string>();
  const darkSystem = useMedia("(prefers-color-scheme: dark)");
  const mode: Mode = choice === "system" ? (darkSystem ? "dark" : "light") : choice;
  const brand = partner && isColour(partner) ? partner : PETROL;

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
      mode,
      brand,
      dress: setPartner,
    }),
    [choice, mode, brand],
  );
  return <Context value={value}>{children}</Context>;
}

export function useAppearance(): Appearance {
  const appearance = useContext(Context);
  if (!appearance) throw new Error("useAppearance outside of its provider");
  return appearance;
}
