import { createContext } from "react";

/** Where a driver asks about a settlement on screen; empty: nobody asks there. */
export const Asking = createContext("");

/** Where a driver asks about the line that is open, and about its rows. */
export const AskingLine = createContext("");

/** The row that is asked about: whatever holds it is open, and it is marked. Empty: none. */
export const MarkedRow = createContext("");
