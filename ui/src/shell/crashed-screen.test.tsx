import { act, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CrashedScreen } from "./crashed-screen";

afterEach(() => void vi.restoreAllMocks());

describe("a screen that does not come", () => {
  it("says that it is not on this device, and comes once the line is back", () => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
    const { unmount } = render(<CrashedScreen />);
    expect(
      screen.getByRole("heading", { name: "Ten ekran nie jest jeszcze zapisany na tym urządzeniu" }),
    ).toBeVisible();
    expect(screen.getByText(/To, co zostało zapisane wcześniej, jest bezpieczne/)).toBeVisible();
    act(() => void dispatchEvent(new Event("online")));
    expect(reload).toHaveBeenCalledOnce();
    unmount();
    dispatchEvent(new Event("online"));
    expect(reload).toHaveBeenCalledOnce();
  });

  it("says that it failed where there is a line, and reloads when told to", () => {
    const reload = vi.spyOn(location, "reload").mockImplementation(() => undefined);
    render(<CrashedScreen />);
    expect(screen.getByRole("heading", { name: "Ten ekran przestał działać" })).toBeVisible();
    dispatchEvent(new Event("online"));
    expect(reload).not.toHaveBeenCalled();
    act(() => screen.getByRole("button", { name: "Odśwież stronę" }).click());
    expect(reload).toHaveBeenCalledOnce();
  });
});
