import { expect, type Saldo } from "../saldo";

/** The link of the bill that an address was mailed. */
export async function linkTo(saldo: Saldo, address: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const mail = (await saldo.mailTo(address)).replace(/=\r?\n/g, "");
    link = /driver-summary\/[\w-]{43}/.exec(mail)?.[0];
    expect(link).toBeDefined();
  }).toPass({ timeout: 120_000 });
  return `/app/${link ?? ""}`;
}
