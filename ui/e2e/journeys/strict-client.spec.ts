import * as oauth from "oauth4webapi";
import { SignIn } from "../pages/sign-in";
import { expect, test } from "../saldo";

// A certified client that accepts nothing that the standards forbid: issuer, state, nonce, times, signatures.
test("a strict OpenID client signs in, refreshes, asks who it is and revokes", async ({ page, saldo }) => {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; loopback has no https
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(`${saldo.url}/auth/realms/saldo`);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  const client: oauth.Client = { client_id: "spa", require_auth_time: true };
  const redirect = `${saldo.url}/app/`;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();

  const authorize = new URL(server.authorization_endpoint ?? "");
  authorize.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirect,
    response_type: "code",
    scope: "openid email profile",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    max_age: "600",
  }).toString();
  await page.route("**/app/**", (route) => route.fulfill({ body: "the client takes it from here" }));
  await page.goto(authorize.href);
  await new SignIn(page).submit(saldo.people.anna);
  await page.waitForURL(/\/app\/\?/);

  const back = oauth.validateAuthResponse(server, client, new URL(page.url()), state);
  const traded = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    back,
    redirect,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, traded, {
    expectedNonce: nonce,
    maxAge: 600,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, traded, insecure);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  expect(claims).toMatchObject({ email: saldo.people.anna.email, given_name: "Anna" });

  const asApi = new Request(`${saldo.url}/api/session`, {
    headers: { Authorization: `Bearer ${tokens.access_token}` },
  });
  const access = await oauth.validateJwtAccessToken(server, asApi, "app-api", insecure);
  expect(access.sub).toBe(claims?.sub);

  const info = await oauth.processUserInfoResponse(
    server,
    client,
    claims?.sub ?? "",
    await oauth.userInfoRequest(server, client, tokens.access_token, insecure),
  );
  expect(info.email).toBe(saldo.people.anna.email);

  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? "", insecure),
  );
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? "", insecure),
  );
  const dead = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refreshed.refresh_token ?? "",
    insecure,
  );
  await expect(oauth.processRefreshTokenResponse(server, client, dead)).rejects.toThrow(oauth.ResponseBodyError);
});
