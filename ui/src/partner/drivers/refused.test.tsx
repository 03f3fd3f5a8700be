import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FieldCode } from "../../api/problem";
import { i18n, show, withPartnerTexts } from "../../i18n";
import { type Language, languageNames } from "../../i18n/languages";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";

interface Rule {
  path: "driver" | "identities" | "tag";
  field: string;
  code: FieldCode;
}

// The server's own table: a rule that is added there is asked for here.
const rules = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../../../internal/api/testdata/driver-rules.json"), "utf8"),
) as Rule[];

const own: Record<string, string> = {
  email: "refusedEmail",
  phone: "refusedPhone",
  taxId: "refusedTaxId",
  iban: "refusedIban",
  schemaNumber: "refusedSchema",
};

const languages = Object.keys(languageNames) as Language[];

beforeEach(signedIn);
beforeAll(withPartnerTexts);

describe.each(languages)("what the server refuses, in %s", (language) => {
  it("has words for every rule", async () => {
    await show(language);
    const t = i18n.getFixedT(language, ["drivers", "fields"]);
    for (const { field, code } of rules) {
      const key = own[field] ?? `fields:${code}`;
      const text = t(key as "drivers:title", { replace: { max: "150" } });
      expect(text, `${field} ${code}`).not.toMatch(/^$|\{\{|^refused|^[a-z_]+$/);
    }
  });

  it("stands at its field", async () => {
    await show(language);
    const wrong = rules.filter(({ path, code }) => path === "driver" && code !== "too_long");
    const fields = [...new Map(wrong.map(({ field, code }) => [field, code]))];
    const server = serve({
      "GET /api/session": () =>
        json({ ...partner, permissions: [...partner.permissions, "drivers.read", "drivers.write"] }),
      "GET /api/drivers": () =>
        json({
          drivers: [],
          total: 0,
          counts: { all: 0, active: 0, inactive: 0, blocked: 0, withoutIban: 0, withoutTaxId: 0, withoutSchema: 0 },
        }),
      "POST /api/drivers": () =>
        refusal(422, { code: "drivers.invalid", fields: fields.map(([name, code]) => ({ name, code })) }),
    });
    const t = i18n.getFixedT(language, ["drivers", "fields"]);
    const { user } = renderApp("/drivers?add=driver");
    const drawer = await screen.findByRole("dialog");
    await user.click(within(drawer).getByRole("button", { name: t("add") }));
    await waitFor(() => expect(server.sent("POST /api/drivers")).toHaveLength(1));
    for (const [field, code] of fields) {
      const text = t((own[field] ?? `fields:${code}`) as "drivers:title");
      const input = drawer.querySelector(`#${field}`);
      await waitFor(() => expect(input?.closest(".ant-form-item"), `${field} ${code}`).toHaveTextContent(text));
    }
    cleanup();
    await show("pl");
  });
});
