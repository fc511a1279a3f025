// What the operator chose: the variables of the environment, their values, and what a local service takes instead.
export { InvalidConfiguration, readConfig, type Config, type Secrets } from "./read-config.ts";
export { isObvious, parseMasterKey } from "./values.ts";
export { variables } from "./variables.ts";
