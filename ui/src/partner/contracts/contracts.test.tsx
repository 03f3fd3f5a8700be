import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { Problem } from "../../api/problem";
import type { components } from "../../api/schema";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import { missingMarks, offsetOf, placesOf, wrongMark } from "./places";

type Contract = components["schemas"]["Contract"];

const clerk: typeof partner = {
  ...partner,
  permissions: [...partner.permissions, "contracts.read", "contracts.write", "contracts.decide"],
};

const contract = (contractId: string, driverName: string): Contract => ({
  contractId,
  driverUUID: `driver-${contractId}`,
  driverName,
  state: "signed_by_driver",
  kinds: ["civil_contract"],
  from: "2026-11-16",
  to: "",
  number: "",
  replaces: "",
  version: 1,
  createdAt: "2026-11-16T10:00:00Z",
  signedAt: "2026-11-16T10:00:00Z",
  countersignedAt: null,
  endedAt: null,
  endedWhy: "",
  documents: [],
});

const [first, second, third] = [contract("1", "Oleh Babiak"), contract("2", "Jan Duda"), contract("3", "Ewa Lis")];
const check = (of: Contract, refused = "") => ({
  contract: of,
  refused,
  freshLogin: false,
  accountChanges: false,
  accountBefore: "",
  account: "",
});

beforeEach(signedIn);

it("names who is not signed and why, and goes on after one that was changed meanwhile", async () => {
  const server = serve({
    "GET /api/session": () => json(clerk),
    "GET /api/partner-documents/signed": () =>
      json({ contracts: [first, second, third], total: 3, counts: { waiting: 3 } }),
    "POST /api/partner-documents/contracts/countersign-check": () =>
      json({ items: [check(first), check(second, "contracts.state"), check(third)] }),
    "POST /api/partner-documents/contracts/1/countersign": () => refusal(409, { code: "contracts.changed" }),
    "POST /api/partner-documents/contracts/3/countersign": () => json({ ...third, state: "active", number: "1/2026" }),
  });
  const { user } = renderApp("/contracts");
  await user.click(await screen.findByRole("checkbox", { name: "Zaznacz wszystkie do podpisu" }));
  await user.click(screen.getByRole("button", { name: "Podpisz (3)" }));
  const dialog = within(screen.getByRole("dialog"));
  const left = within(await dialog.findByRole("region", { name: "Dlaczego pominiemy" }));
  expect(left.getByText("Jan Duda")).toBeInTheDocument();
  expect(server.sent("POST /api/partner-documents/contracts/3/countersign")).toHaveLength(0);
  await user.click(dialog.getByRole("button", { name: "Podpisz (2)" }));
  expect(await dialog.findByText("Podpisano 1 umowę.")).toBeInTheDocument();
  expect(within(dialog.getByRole("region", { name: "Niepodpisane" })).getByText("Oleh Babiak")).toBeInTheDocument();
  expect(server.sent("POST /api/partner-documents/contracts/2/countersign")).toHaveLength(0);
});

it("finds the places that the server names, also behind letters of two units", () => {
  const body = "# Zgoda\n\n🙂 To jest *źle*";
  const problem = new Problem("contracts.text", {
    fields: [
      { name: "body:3:11:mark", code: "wrong_format" },
      { name: "name", code: "required" },
    ],
  });
  const [place] = placesOf(problem);
  expect(placesOf(problem)).toHaveLength(1);
  if (!place) throw new Error("no place");
  expect(body.slice(offsetOf(body, place))).toBe("*źle*");
  expect(wrongMark(body, place)).toMatchObject({ from: body.indexOf("*"), to: body.length });
  expect(missingMarks("{{driver.name}} {{ driver.pesel }}", ["driver.pesel"])).toEqual([
    { from: 16, to: 34, kind: "missing" },
  ]);
});
