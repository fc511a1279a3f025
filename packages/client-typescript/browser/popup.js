// The sign-in in a popup, as an import. Beside it lies the script of the service, of which a copy is as good.
import "./rollcall-connect.js";

export const { open: openSignIn, finish: finishSignIn } = globalThis.RollcallConnect;
