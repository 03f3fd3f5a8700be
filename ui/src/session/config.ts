import { createContext, useContext } from "react";
import type { Body } from "../api/client";

/** What an instance is: its country, money, time zone and languages. */
export type Config = Body<"/api/config">;

const Context = createContext<Config | undefined>(undefined);

export const ConfigProvider = Context.Provider;

export function useConfig(): Config {
  const config = useContext(Context);
  if (!config) throw new Error("useConfig outside of its provider");
  return config;
}
