import type { HttpApp } from "../../platform/http/index.ts";
import { isFormTokenOf, seenBy } from "../form-token.ts";
import { acceptFlowForm, listFlowForms, readFormValues } from "./flow-forms.ts";
import { findVisitedFlow } from "./visited-flow.ts";
import type { PageServices } from "../services.ts";

export function registerFlowFormRoutes(scope: HttpApp, dependencies: PageServices): void {
  const { keyring, pages, browserSession } = dependencies;
  for (const form of listFlowForms(dependencies))
    scope.route({
      method: "POST",
      url: `/connect/:flow/${form.name}`,
      config: { rateLimitClass: "wide" },
      schema: { hide: true },
      handler: async (request, reply) => {
        const flow = await findVisitedFlow(dependencies, request, reply);
        if (!flow) return reply;
        const formValues = readFormValues(request.body);
        const seen = seenBy(flow, browserSession.read(request));
        if (!formValues || !isFormTokenOf(keyring, seen, formValues["form_token"] ?? ""))
          return pages.sendError(request, reply, "forged");
        const { isHelper } = flow;
        return await acceptFlowForm(request, reply, { form, flow, isHelper, formValues });
      },
    });
}
