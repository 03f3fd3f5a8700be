import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { type Answered, answeredWith, type Draft, DraftCard } from "./draft-card";

const draft: Draft = {
  id: "f1",
  state: "approval",
  gross: 103000,
  madeAt: "2026-11-09T08:00:00Z",
  until: "2026-11-16",
  answeredAt: null,
  reason: "",
  seller: "Zofia Samofaktura",
  street: "Polna 1",
  place: "00-001 Warszawa",
  taxId: "5260250274",
  buyer: "Drogowiec Flota",
  net: 95370,
  vat: 7630,
  exempt: "",
  lines: [],
};

const shown = (answer: Answered, of: Draft = draft) => {
  const onAnswer = vi.fn(() => Promise.resolve(answer));
  const card = (one: Draft) => (
    <DraftCard
      draft={one}
      language="pl"
      t={(key, values) => [key, ...Object.values(values ?? {})].join(" ")}
      amount={(minor) => String(minor)}
      onAnswer={onAnswer}
      card=""
      button=""
      primary=""
    />
  );
  const { rerender } = render(card(of));
  return { onAnswer, again: (one: Draft) => rerender(card(one)) };
};
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

it("is approved with one press, and says until when silence approves", async () => {
  const { onAnswer } = shown("saved");
  expect(screen.getByText(/draftUntil 16 lis 2026/)).toBeVisible();
  await press("draftApprove");
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(true, "");
});

it("is declined with a reason only", async () => {
  const { onAnswer } = shown("saved");
  await press("draftDecline");
  expect(screen.getByRole("button", { name: "draftSend" })).toBeDisabled();
  await userEvent.type(screen.getByRole("textbox"), "Zły adres");
  await press("draftSend");
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(false, "Zły adres");
});

it("keeps the reason when the answer did not arrive", async () => {
  shown("failed");
  await press("draftDecline");
  await userEvent.type(screen.getByRole("textbox"), "Zły adres");
  await press("draftSend");
  expect(screen.getByRole("alert")).toHaveTextContent("draftFailed");
  expect(screen.getByRole("textbox")).toHaveValue("Zły adres");
});

it("shows what stands by now when it was drawn up anew meanwhile", async () => {
  const { again } = shown("changed");
  await press("draftApprove");
  again({ ...draft, id: "f2", gross: 99900 });
  expect(screen.getByRole("alert")).toHaveTextContent("draftChanged");
  expect(screen.getByText("99900")).toBeVisible();
});

it.each(["approved", "declined"] as const)("cannot be answered once it is %s", (state) => {
  shown("saved", { ...draft, state, reason: "Zły adres" });
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

it("tells what became of an answer by its status", () => {
  expect([204, 404, 409, 429, 503, 0].map(answeredWith)).toEqual([
    "saved",
    "changed",
    "changed",
    "failed",
    "failed",
    "failed",
  ]);
});
