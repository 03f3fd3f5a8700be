import type { terms as english } from "../en/terms";
import type { Words } from "../words";

export const terms: Words<typeof english, "pl"> = {
  lead: "Przeczytaj regulamin i zaakceptuj go, aby przejść dalej.",
  declaration: "Oświadczam, że znam regulamin i akceptuję go w imieniu mojej firmy.",
  accept: "Akceptuję regulamin",
  notAccepted: "Regulamin nie został zaakceptowany.",
};
