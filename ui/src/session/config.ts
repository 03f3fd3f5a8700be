import { createContext, useContext } from "react";
import type { Body } from "../api/client";

/** What an instance is: its country, money, time zone and languages. */
export type Config = Body<"/api/config">;

const Context = createContext<Config | undefined>(undefined);

export const ConfigProvider = Context.Provider;

/** The partner in whose colours people are met before they are signed in; also where nothing is known of the instance yet. */
export const useKnownBrand = () => useContext(Context)?.partner;

export function useConfig(): Config {
  const config = useContext(Context);
  if (!config) throw new Error("useConfig outside of its provider");
  return config;
}
