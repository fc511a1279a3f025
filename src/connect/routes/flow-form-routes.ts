import type { HttpApp } from "../../platform/http/index.ts";
import { isFormTokenOf, seenBy } from "../form-token.ts";
import { acceptFlowForm, listFlowForms, type FlowForm, readFormValues } from "./flow-forms.ts";
import { findVisitedFlow } from "./visited-flow.ts";
import type { PageServices } from "../services.ts";

export function registerFlowFormRoutes(scope: HttpApp, dependencies: PageServices): void {
  for (const form of listFlowForms(dependencies)) registerFlowForm(scope, dependencies, form);
}

function registerFlowForm(scope: HttpApp, dependencies: PageServices, form: FlowForm): void {
  const { keyring, pages } = dependencies;
  scope.route({
    method: "POST",
    url: `/connect/:flow/${form.name}`,
    config: { rateLimitClass: "wide" },
    schema: { hide: true },
    handler: async (request, reply) => {
      const flow = await findVisitedFlow(dependencies, request, reply);
      if (!flow) return reply;
      const formValues = readFormValues(request.body);
      const browser = dependencies.browserSession.read(request);
      const token = formValues?.["form_token"] ?? "";
      if (!formValues || !isFormTokenOf(keyring, seenBy(flow, browser), token))
        return pages.sendError(request, reply, "forged");
      const { isHelper } = flow;
      return await acceptFlowForm(request, reply, { form, flow, isHelper, formValues });
    },
  });
}
