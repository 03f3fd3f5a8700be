import { recall, remember } from "../browser/storage";

const INVITED = "invited";

/** Remembers the partner through whose link somebody came, until they were asked whether they want it. */
export const keepInvitation = (code: string) => remember("localStorage", INVITED, code);

/** The code of the partner through whose link somebody came and whom they were not asked about yet. */
export const invitedBy = () => recall("localStorage", INVITED);

export const forgetInvitation = () => remember("localStorage", INVITED, null);

/** The code of the partner in whose colours this browser shows what is before signing in. */
export const knownPartner = () => /(?:^|; )partner_code=([A-Za-z0-9_-]{1,64})(?:;|$)/.exec(document.cookie)?.[1];
