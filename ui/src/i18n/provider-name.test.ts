import { describe, expect, it } from "vitest";
import { show, withFurtherTexts } from ".";
import { providerName } from "./provider-name";

describe("the name of a provider", () => {
  it("is a word of the language for what partners keep themselves, and a brand else", async () => {
    const names = () =>
      ["UBER", "OTHER", "INTERNAL"].map((code) => providerName({ code, name: code === "UBER" ? "Uber" : "Other" }));
    await withFurtherTexts();
    await show("de");
    expect(names()).toEqual(["Uber", "Anderes Unternehmen", "Intern"]);
    await show("pl");
    expect(names()).toEqual(["Uber", "Inna firma", "Własne"]);
  });
});
