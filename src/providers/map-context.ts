import { hasDates, type Resource } from "../model/index.ts";
import type { FetchParameters, MapContext } from "./contract.ts";
import type { ReadCall } from "./read-context.ts";

/** What the mapping of records gets: of the parameters, those of the resource. Throws when they are not given. */
export function createMapContext<R extends Resource>({
  resource,
  today,
  parameters,
  onNulled,
}: Pick<ReadCall, "onNulled"> & {
  resource: R;
  today: string;
  parameters: FetchParameters;
}): MapContext<R> {
  return {
    today,
    parameters: chooseParameters(resource, parameters) as FetchParameters<R>,
    onUnreadable: (_path, field) => onNulled?.(field),
  };
}

function chooseParameters(resource: Resource, given: FetchParameters): object {
  const { range, payrunRemoteId } = given;
  const own = {
    ...(hasDates(resource) && { range }),
    ...(resource === "payslips" && { payrunRemoteId }),
  };
  const missing = Object.entries(own).find(([, value]) => value === undefined);
  if (missing) throw new Error(`a read of ${resource} is asked for without its ${missing[0]}`);
  return own;
}
