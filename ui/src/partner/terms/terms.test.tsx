import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { renderApp, signedIn } from "../../testing/render";
import { json, refusal, serve, terms } from "../../testing/server";

const ACCEPT = "PUT /api/partners/terms/acceptNewTerms";
const dialog = () => screen.findByRole("dialog", { name: "Regulamin" });

beforeEach(signedIn);

it("asks for the declaration before it can be accepted, and closes after that", async () => {
  let accepted = false;
  const server = serve({
    "GET /api/partners/terms": () => json({ ...terms, accepted }),
    [ACCEPT]: () => {
      accepted = true;
      return new Response(null, { status: 204 });
    },
  });
  const { user } = renderApp("/tags");
  const box = await dialog();
  expect(within(box).getByText("Drugi akapit.")).toBeInTheDocument();
  const accept = within(box).getByRole("button", { name: "Akceptuję regulamin" });
  expect(accept).toBeDisabled();
  await user.keyboard("{Escape}");
  expect(box).toBeInTheDocument();
  await user.click(within(box).getByRole("checkbox"));
  await user.click(accept);
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Regulamin" })).not.toBeInTheDocument());
  expect(server.sent(ACCEPT)[0]?.key).toBeTruthy();
});

it("says that nothing was accepted when the terms changed meanwhile", async () => {
  serve({
    "GET /api/partners/terms": () => json({ ...terms, accepted: false }),
    [ACCEPT]: () => refusal(409, { code: "terms.changed" }),
  });
  const { user } = renderApp("/tags");
  const box = await dialog();
  await user.click(within(box).getByRole("checkbox"));
  await user.click(within(box).getByRole("button", { name: "Akceptuję regulamin" }));
  expect(await within(box).findByRole("alert")).toHaveTextContent("Regulamin nie został zaakceptowany.");
});

it("is not shown when the terms are accepted", async () => {
  serve();
  renderApp("/tags");
  await screen.findByText("Nie ma jeszcze etykiet");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

it("lets a person leave instead", async () => {
  serve({ "GET /api/partners/terms": () => json({ ...terms, accepted: false }) });
  const asked = signedIn();
  const { user } = renderApp("/tags");
  await user.click(within(await dialog()).getByRole("button", { name: "Wyloguj się" }));
  await waitFor(() => expect(asked.map(({ what }) => what)).toEqual(["logout"]));
});
