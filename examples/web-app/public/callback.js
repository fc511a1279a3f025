// The redirect page: the page that opened the popup gets the result, or this page goes on by itself.
const outcome = await globalThis.RollcallConnect?.finish();
if (outcome !== "popup") document.forms[0].submit();
