import type { Dispatcher } from "undici";

interface Watcher {
  /** The request is about to be written to a socket. */
  onSent?: (() => void) | undefined;
  /** An informational answer (1xx) arrived. An error that is returned ends the request. */
  onInformational?: (() => Error | undefined) | undefined;
  /** Called once, when the request has ended in whatever way. */
  onEnd?: (() => void) | undefined;
}

/** Tells the watcher what becomes of each request of a dispatcher. */
export function watchDispatch(
  watch: (options: Dispatcher.DispatchOptions) => Watcher,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => dispatch(options, watched(handler, watch(options)));
}

function watched(
  handler: Dispatcher.DispatchHandler,
  { onSent, onInformational, onEnd }: Watcher,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      onSent?.();
      handler.onRequestStart?.(controller, context);
    },
    onResponseStart: (controller, status, headers, message) => {
      const refusal = status < 200 ? onInformational?.() : undefined;
      if (refusal) controller.abort(refusal);
      else handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => {
      onEnd?.();
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError: (controller, error) => {
      onEnd?.();
      handler.onResponseError?.(controller, error);
    },
  };
}
