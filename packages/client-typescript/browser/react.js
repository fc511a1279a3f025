import { createElement } from "react";
import { openSignIn } from "./popup.js";

/** A button that opens a sign-in. What is no option of the sign-in goes to the button. */
export function SignInButton({ url, params, state, onSuccess, onExit, onError, ...button }) {
  const open = () => openSignIn(given({ url, params, state, onSuccess, onExit, onError }));
  return createElement("button", { type: "button", ...button, onClick: open });
}

function given(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
