import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, partner, refusal, serve } from "../../testing/server";
import type { Outcome, Profile, Row } from "./queries";

const row = (id: string, lastName: string, more: Partial<Row> = {}): Row => ({
  id,
  lastName,
  firstName: "Oleh",
  profileId: id,
  driverId: "",
  email: "oleh@example.com",
  phone: "+48601234567",
  emailConfirmed: true,
  state: "new",
  blocked: false,
  verified: false,
  registered: true,
  activationSentAt: null,
  chosenAt: "2026-11-01T09:00:00Z",
  linkedAt: null,
  proposals: [],
  ...more,
});

const babiak = {
  id: "d1",
  firstName: "Oleh",
  lastName: "Babiak",
  email: "",
  phone: "+48601234567",
  version: 3,
  blocked: false,
  linked: false,
  evidence: ["phone", "name"],
} satisfies Profile["proposals"][number];

const profile: Profile = {
  id: "p1",
  state: "new",
  firstName: "Oleh",
  lastName: "Babiak",
  email: "oleh@example.com",
  emailConfirmed: true,
  phone: "+48601234567",
  chosenAt: "2026-11-01T09:00:00Z",
  linkedAt: null,
  updatedAt: "2026-11-02T09:00:00.123456Z",
  driverId: "",
  proposals: [{ ...babiak, id: "d0", lastName: "Taken", linked: true, evidence: ["email"] }, babiak],
};

const outcome = (id: string, said: Outcome["outcome"], more: Partial<Outcome> = {}): Outcome => ({
  id,
  outcome: said,
  profileId: id,
  driverId: "",
  ...more,
});

const stored = () =>
  serve({
    "GET /api/session": () =>
      json({ ...partner, permissions: [...partner.permissions, "drivers.read", "drivers.write"] }),
    "GET /api/driver-profiles": () =>
      json({
        profiles: [row("p1", "Babiak", { proposals: [babiak] }), row("p2", "Żak")],
        total: 2,
        counts: { email: 7, new: 2, blocked: 1 },
      }),
    "GET /api/driver-profiles/p1": () => json(profile),
    "POST /api/driver-profiles/p1/link": () => json({ driverId: "d1" }),
    "POST /api/driver-profiles/link": () =>
      json({ outcomes: [outcome("p1", "linked", { driverId: "d1" }), outcome("p2", "no_match")] }),
    "POST /api/driver-profiles/unlink": () => json({ outcomes: [outcome("p1", "unlinked")] }),
  });

beforeEach(signedIn);

describe("driver profiles", () => {
  it("shows tabs with counts and who somebody looks like, and keeps what is asked in the address", async () => {
    stored();
    const { user, address } = renderApp("/drivers-profiles?tab=new");
    const cells = await screen.findByText("ten sam telefon, to samo imię i nazwisko");
    expect(cells).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Nowi 2" })).toHaveAttribute("aria-pressed", "true");
    await user.click(screen.getByRole("button", { name: "Zablokowani 1" }));
    expect(address()).toBe("/drivers-profiles?tab=blocked");
    await user.type(screen.getByRole("textbox", { name: "Nazwisko, e-mail, telefon" }), "żak");
    expect(address()).toBe("/drivers-profiles?tab=blocked&q=%C5%BCak");
  });

  it("says of everybody what became of them, and takes back what was done", async () => {
    const server = stored();
    const { user } = renderApp("/drivers-profiles?tab=new");
    await user.click(await screen.findByRole("checkbox", { name: "Zaznacz wszystkich na stronie (2)" }));
    await user.click(screen.getByRole("button", { name: "Połącz (2)" }));
    const result = await screen.findByRole("region", { name: "Wynik" });
    expect(result).toHaveTextContent("Połączono: 1. Nie połączono: 1.");
    expect(result).toHaveTextContent("Żak Oleh: nikt nie ma tego samego e-maila");
    expect(server.sent("POST /api/driver-profiles/link")[0]?.body).toEqual({ ids: ["p1", "p2"] });
    await user.click(within(result).getByRole("button", { name: "Cofnij (1)" }));
    expect(await screen.findByText("Odłączono: 1. Nie odłączono: 0.")).toBeInTheDocument();
    expect(server.sent("POST /api/driver-profiles/unlink")[0]?.body).toEqual({ ids: ["p1"] });
  });

  it("links over what was shown, with what was ticked alone, and says why it was refused", async () => {
    const server = stored();
    const works = server.answers["POST /api/driver-profiles/p1/link"] ?? fail;
    server.answers["POST /api/driver-profiles/p1/link"] = () => refusal(409, { code: "driver_profiles.changed" });
    const { user, address } = renderApp("/drivers-profiles?tab=new&link=p1");
    const drawer = await screen.findByRole("dialog");
    expect(within(drawer).getByRole("radio", { name: /Taken/ })).toBeDisabled();
    expect(within(drawer).getByRole("radio", { name: /Babiak/ })).toBeChecked();
    await user.click(within(drawer).getByRole("checkbox", { name: "Przejmij od kierowcy: E-mail" }));
    const submit = within(drawer).getByRole("button", { name: "Połącz z: Babiak Oleh" });
    await user.click(submit);
    expect(await within(drawer).findByText(/Nic nie połączono ani nie przepisano/)).toBeInTheDocument();
    server.answers["POST /api/driver-profiles/p1/link"] = works;
    await user.click(submit);
    await waitFor(() => expect(address()).toBe("/drivers-profiles?tab=new"));
    expect(server.sent("POST /api/driver-profiles/p1/link").at(-1)?.body).toEqual({
      driverId: "d1",
      version: 3,
      take: ["email"],
      profileAt: "2026-11-02T09:00:00.123456Z",
    });
  });
});

function fail(): never {
  throw new Error("not there");
}
