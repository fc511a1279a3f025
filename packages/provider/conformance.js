import "./dist/older-node.js";
export { describeProvider, registerChecks } from "./dist/conformance/index.js";
