import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

const FREE = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:propstat><d:prop>
<d:quota-available-bytes>5000000000</d:quota-available-bytes></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
</d:multistatus>`;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** A folder on a WebDAV server as a partner has one, with one account, kept in memory. */
export class Drive {
  /** What stands there, by its path below the folder. */
  readonly files = new Map<string, Buffer>();
  private readonly folders = new Set<string>([""]);

  constructor(private password: string) {}

  /** The owner changes the password at the service. */
  changePassword(password: string) {
    this.password = password;
  }

  readonly answer: RequestListener = (request, response) => {
    void this.answered(request, response);
  };

  private async answered(request: IncomingMessage, response: ServerResponse) {
    const content = await bodyOf(request);
    const right = `Basic ${Buffer.from(`anna:${this.password}`).toString("base64")}`;
    const [status, text] = request.headers.authorization === right ? this.done(request, content) : ([401, ""] as const);
    response.writeHead(status).end(text);
  }

  private path(address: string) {
    return decodeURIComponent(new URL(address, "https://drive").pathname)
      .replace(/^\/files\/?/, "")
      .normalize();
  }

  private done(request: IncomingMessage, content: Buffer): readonly [number, (string | Buffer)?] {
    const path = this.path(request.url ?? "/");
    const there = this.files.get(path);
    switch (request.method) {
      case "PROPFIND":
        return [207, FREE];
      case "MKCOL":
        if (this.folders.has(path)) return [405];
        this.folders.add(path);
        return [201];
      case "GET":
        return there ? [200, there] : [404];
      case "PUT":
        if (!this.folders.has(path.split("/").slice(0, -1).join("/"))) return [409];
        this.files.set(path, content);
        return [201];
      case "MOVE": {
        const to = this.path(String(request.headers.destination));
        if (!there) return [404];
        if (this.files.has(to)) return [412];
        this.files.set(to, there);
        this.files.delete(path);
        return [201];
      }
      case "DELETE":
        return [this.files.delete(path) ? 204 : 404];
      default:
        return [405];
    }
  }
}
