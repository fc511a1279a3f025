export { formatMarkup as say } from "./format.ts";
