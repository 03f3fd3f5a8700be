import { createServer, type Server } from "node:net";

/** A mail server that takes everything, at the address that Keycloak was told. */
export class MailServer {
  readonly mails: string[] = [];
  private readonly server: Server;

  constructor(address: string) {
    const [host, port] = address.split(":");
    this.server = createServer((socket) => {
      let data: string | undefined;
      let rest = "";
      const say = (line: string) => socket.write(`${line}\r\n`);
      const hear = (line: string) => {
        if (data !== undefined) {
          if (line === ".") {
            this.mails.push(data);
            data = undefined;
            say("250 taken");
          } else data += `${line}\r\n`;
        } else if (/^DATA/i.test(line)) {
          data = "";
          say("354 go on");
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else say("250 ok");
      };
      say("220 test");
      socket.on("data", (chunk) => {
        rest += chunk.toString();
        const lines = rest.split("\r\n");
        rest = lines.pop() ?? "";
        for (const line of lines) hear(line);
      });
      socket.on("error", () => undefined);
    }).listen(Number(port), host);
  }

  /** Waits for a mail to an address. */
  async to(email: string): Promise<string> {
    for (let tries = 0; tries < 300; tries++) {
      const found = this.mails.findLast((mail) => mail.includes(email));
      if (found) return found;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`no mail to ${email}`);
  }

  close(): void {
    this.server.close();
  }
}
