import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { compare, sumOf, type Verified } from "./load";
import { VerifyPage } from "./page";

const shown: Verified = {
  title: "Umowa zlecenia",
  language: "pl",
  state: "active",
  signedAt: "2026-11-16T10:00:00Z",
  signers: ["O.B.", "Wrzos"],
  pages: 2,
  form: "simple",
  sealed: true,
  removed: false,
  files: [],
};

beforeEach(() => {
  window.history.replaceState(null, "", "/app/verify/x?lang=pl");
});

it("tells files apart that were given out", async () => {
  const sum = await sumOf(new Blob(["abc"]));
  expect(sum).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const files = [
    { sum: "a", sealedSum: "b", sealedAt: null },
    { sum: "c", sealedSum: sum, sealedAt: null },
  ];
  expect(compare(sum, files)).toBe("equal");
  expect(compare("c", files)).toBe("unsealed");
  expect(compare("b", files)).toBe("older");
  expect(compare("d", files)).toBe("foreign");
  expect(compare("", [{ sum: "c", sealedSum: "", sealedAt: null }])).toBe("foreign");
});

it("compares a file on the device and sends nothing", async () => {
  const sum = await sumOf(new Blob(["abc"]));
  const asked = vi.fn<typeof fetch>(() =>
    Promise.resolve(Response.json({ ...shown, files: [{ sum: "a", sealedSum: sum, sealedAt: null }] })),
  );
  vi.stubGlobal("fetch", asked);
  render(<VerifyPage code="x" />);
  expect(await screen.findByText("Umowa zlecenia")).toBeInTheDocument();
  await userEvent.upload(
    screen.getByLabelText("Wybierz plik"),
    new File(["abc"], "a.pdf", { type: "application/pdf" }),
  );
  expect(await screen.findByText("To jest dokładnie ten plik, który wydaliśmy.")).toBeInTheDocument();
  await userEvent.upload(
    screen.getByLabelText("Wybierz plik"),
    new File(["abd"], "b.pdf", { type: "application/pdf" }),
  );
  expect(await screen.findByText(/^To nie jest plik, który wydaliśmy/)).toBeInTheDocument();
  expect(asked).toHaveBeenCalledTimes(1);
});

it.each([404, 422])("says of a code that is answered with %i that there is no such document", async (status) => {
  vi.stubGlobal(
    "fetch",
    vi.fn<typeof fetch>(() => Promise.resolve(Response.json({}, { status }))),
  );
  render(<VerifyPage code="x" />);
  expect(await screen.findByRole("heading", { name: "Nie ma dokumentu o tym kodzie" })).toBeInTheDocument();
});
