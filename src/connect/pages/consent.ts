import { logoPath, type Client } from "../../clients/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import {
  endpointPaths,
  endpoints,
  splitScope,
  type EndpointPath,
  type Scope,
} from "../../model/index.ts";
import type { Flow } from "../flow.ts";
import type { FormField } from "../../providers/index.ts";
import { assets } from "../assets.ts";
import type { PageContext } from "./layout.ts";
import { formatMarkup } from "./format.ts";
import { accessesPath } from "./accesses-path.ts";
import { translateText } from "./translate.ts";

/** What the pages show of a flow. The page of a link shows one that nobody has begun. */
export type ShownFlow = Pick<
  Flow,
  | "clientId"
  | "tokenId"
  | "mode"
  | "scopes"
  | "redirectUri"
  | "tags"
  | "isSandbox"
  | "provider"
  | "isProviderFixed"
  | "locale"
  | "phase"
  | "step"
  | "refusal"
>;

/** What the pages of a flow show besides what their state holds. */
export interface FlowPageContext extends PageContext {
  flow: ShownFlow;
  /** Shows this page. */
  path: string;
  /** The page of a link whose flow no form has begun yet. */
  isOfLink: boolean;
  client: string;
  /** What the client says of itself. */
  profile: ClientProfile;
  provider: string | undefined;
  /** The data of the provider are invented. */
  isSimulated: boolean;
  /** The end user can sign in to the account again, and end the access. */
  canEndAccess: boolean;
  /** Binds each form to this flow and browser. */
  formToken: string;
}

type ClientProfile = Partial<Pick<Client, "logoDigest" | "purpose" | "privacyUrl" | "supportUrl">>;

/** Who asks, and of which system. */
export function asks(context: FlowPageContext): Html {
  const { texts, flow, client, profile, provider } = context;
  const sentence = flow.tokenId
    ? texts.consent.asksAgain
    : provider === undefined
      ? texts.consent.asks
      : texts.consent.asksProvider;
  return html`<div class="between" aria-hidden="true">${clientTile({ name: client, ...profile })}<span class="line"></span>${providerTile(context)}</div>
<p class="asks">${formatMarkup(sentence, { client, provider })}</p>`;
}

/** What for, with what consequences, and where it leads. */
export function consent(context: FlowPageContext): Html {
  const { texts, client, provider } = context;
  return html`<section class="consent" aria-labelledby="consent">
<h2 id="consent">${formatMarkup(provider === undefined ? texts.consent.wants : texts.consent.allows, { client })}</h2>
${foldedScopes(context)}
<ul class="scopes unfolded">${listScopes(context)}</ul>
<ul class="terms"><li>${texts.consent.readOnly}</li><li class="unfolded">${lasts(context)}</li><li class="returns">${returns(context)}</li></ul>
</section>`;
}

/** On a narrow screen the kinds of data stand before the form in a few lines, and open to the whole list. */
function foldedScopes(context: FlowPageContext): Html {
  const { texts, flow } = context;
  const names = endpointsToName(flow.scopes).map((path) => texts.scopes[path].name);
  return html`<details class="folded"><summary><span class="kinds">${names.join(", ")}</span>
<span class="more">${texts.consent.details}</span></summary>
<ul class="scopes">${listScopes(context)}</ul>
<p class="soft">${lasts(context)}</p></details>`;
}

function listScopes({ texts, flow }: FlowPageContext): Html[] {
  return endpointsToName(flow.scopes).map(
    (path) => html`<li>${formatMarkup(texts.consent.scope, texts.scopes[path])}</li>`,
  );
}

function lasts({ texts, client }: FlowPageContext): Html {
  return formatMarkup(texts.consent.lasts, { client });
}

export function kept(
  context: FlowPageContext,
  { keepsSecret, fields }: { keepsSecret: boolean; fields: readonly FormField[] },
): Html {
  const { texts, client, provider } = context;
  const settings = fields
    .filter(({ isSetting }) => isSetting)
    .map(({ title }) => translateText(context, title).text);
  const names = { client, provider, fields: settings.join(", ") };
  const sentences = [
    keepsSecret ? texts.kept.secret : texts.kept.session,
    ...(settings.length > 0 ? [texts.kept.settings] : []),
    texts.kept.data,
    texts.kept.end,
    texts.kept.after,
  ];
  const paragraphs = sentences.map((sentence) => html`<p>${formatMarkup(sentence, names)}</p>`);
  const byOneself =
    context.canEndAccess && html`<p>${texts.accesses.kept} ${accessesLink(context)}</p>`;
  return html`<details class="kept"><summary>${texts.kept.title}</summary>${paragraphs}${byOneself}</details>`;
}

/** The first letter of a name, in the place of a picture. */
export function tile(name: string): HtmlValue {
  return html`<span class="tile" aria-hidden="true">${/[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase()}</span>`;
}

/** A picture that the client uploaded, or the letter. */
export function clientTile({
  name,
  logoDigest,
}: Pick<Client, "name"> & Pick<ClientProfile, "logoDigest">): HtmlValue {
  return logoDigest ? picture(logoPath(logoDigest)) : tile(name);
}

/** Marks of vendors are theirs: they have a letter. The simulated provider is ours. */
function providerTile({ provider, isSimulated }: FlowPageContext): HtmlValue {
  if (provider === undefined) return html`<span class="tile unknown"></span>`;
  return isSimulated ? picture(assets.icon.path) : tile(provider);
}

function picture(path: string): Html {
  return html`<span class="tile picture"><img src="${path}" alt="" width="36" height="36"></span>`;
}

/** A name can be chosen at will; the host that a browser is sent to cannot. */
function returns({ texts, flow }: FlowPageContext): Html {
  const { hostname, host } = new URL(flow.redirectUri);
  const isHere = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  return isHere
    ? html`${texts.consent.returnsHere}`
    : formatMarkup(texts.consent.returns, { host });
}

/** The kinds of data that scopes give, by their names alone. */
export function nameScopes({ texts }: FlowPageContext, scopes: readonly Scope[]): string[] {
  return endpointsToName(scopes).map((path) => texts.scopes[path].name);
}

/** In the order of the catalogue, without those that another one of the scopes includes. */
function endpointsToName(scopes: readonly Scope[]): EndpointPath[] {
  const granted = new Set(scopes.map((scope) => splitScope(scope).path));
  return endpointPaths.filter((path) => {
    const { includedIn } = endpoints[path];
    return granted.has(path) && (includedIn === null || !granted.has(includedIn));
  });
}
