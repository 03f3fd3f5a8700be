import { answer } from "./client";

/** The name that the server gives a file; undefined: it gives none. */
export const fileName = (response: Response) =>
  /filename="?([^";]+)/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];

export type FileAnswer = Promise<{ data?: Blob; error?: unknown; response: Response }>;

/** A file of the typed client with the name that the server gives it. */
export async function fileOf(call: FileAnswer, otherwise: string) {
  const content = await answer(call);
  return { content, name: fileName((await call).response) ?? otherwise };
}
