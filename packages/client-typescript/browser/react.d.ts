import type { ButtonHTMLAttributes, ReactElement } from "react";
import type { SignInOptions } from "./popup.js";

type Own = "url" | "params" | "state" | "onSuccess" | "onExit" | "onError";

export type SignInButtonProps = Pick<SignInOptions, Own> &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, Own | "onClick">;

/** A button that opens a sign-in in a popup, and tells how it ended. */
export function SignInButton(props: SignInButtonProps): ReactElement;
