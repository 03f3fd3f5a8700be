// A file cannot be part of an address: it goes from the screen where it was chosen to the one where it is described.
let chosen: File | undefined;

export const choose = (file: File) => {
  chosen = file;
};

/** The file that was chosen for the screen that opens, once. */
export function takeChosen(): File | undefined {
  const file = chosen;
  chosen = undefined;
  return file;
}
