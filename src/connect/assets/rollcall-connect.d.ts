// Types of rollcall-connect.js. The guide is /docs/sign-in-popup of the service.

declare namespace RollcallConnect {
  interface Success {
    /** For your server to exchange. Left out after signing in again: the same access token works. */
    code?: string;
    state: string;
    /** The base address of the service. */
    iss?: string;
  }

  type Exit =
    /** The end user cancelled, or the provider refused five attempts: `error_description` says which. */
    | {
        reason: "cancelled";
        error: "access_denied";
        error_description?: string;
        state: string;
        iss?: string;
      }
    /**
     * The end user is back on your page without a result. The window was closed, or it is behind your page: browsers
     * do not tell which, so another callback may follow.
     */
    | { reason: "closed"; state: string };

  interface Failure {
    /** That of the redirect, or `link_failed` when your function `url` made no link. */
    error: string;
    error_description?: string;
    state: string;
    iss?: string;
  }

  interface Callbacks {
    onSuccess?: (success: Success) => void;
    onExit?: (exit: Exit) => void;
    onError?: (failure: Failure) => void;
  }

  interface OpenOptions extends Callbacks {
    /** A sign-in link, the address of yours that redirects to one, or a function that makes one. */
    url: string | URL | ((state: string) => string | URL | Promise<string | URL>);
    /** Parameters to add to the link. */
    params?: Record<string, string>;
    /** The link's own, or 192 random bits, when left out. */
    state?: string;
    /** Size of the window: 520 by 760 when left out. */
    width?: number;
    height?: number;
  }

  interface Attempt {
    state: string;
    /** False when the sign-in goes on in this window. */
    isPopup: boolean;
    /** Waits no longer. A window that shows the sign-in stays open, because nobody can close it from outside. */
    cancel: () => void;
  }

  /**
   * - `popup`: the page that opened this window has the result, and this window closes.
   * - `page`: there is no such page, and the callbacks of `finish` have the result.
   * - `unknown`: `open` of this browser did not begin this sign-in, or its result is known already. Nothing was called.
   */
  type Outcome = "popup" | "page" | "unknown";

  /** Call it while you handle a click, or the browser blocks the window. */
  function open(options: OpenOptions): Attempt;

  /** Call it once on the redirect page. */
  function finish(callbacks?: Callbacks): Promise<Outcome>;
}
