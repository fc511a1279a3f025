import { logoPath, type Client } from "../../clients/index.ts";
import { html, type Html, type HtmlValue } from "../../platform/html/index.ts";
import {
  endpointPaths,
  endpoints,
  splitScope,
  type EndpointPath,
  type Resource,
  type Scope,
} from "../../model/index.ts";
import type { Flow } from "../flow.ts";
import type { DeclaredMode, DeclaredRecipe, FormField } from "../../providers/index.ts";
import type { PageContext } from "./layout.ts";
import { formatMarkup } from "./format.ts";
import { translateText } from "./translate.ts";
import { tellEmployeeData } from "../texts/employee-data.ts";

/** Where an end user begins to see who has access to an account. */
export const accessesPath = "/connect/accesses";

/** What the pages show of a flow. The page of a link shows one that nobody has begun. */
export type ShownFlow = Pick<
  Flow,
  | "purpose"
  | "clientId"
  | "tokenId"
  | "mode"
  | "scopes"
  | "settings"
  | "allowsHandover"
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
  /** The browser is that of a colleague. */
  isHelper: boolean;
  client: string;
  /** What the client says of itself. */
  profile: ClientProfile;
  provider: string | undefined;
  /** The data of the provider are invented. */
  isSimulated: boolean;
  /** The person signs in on the provider's own page. */
  isElsewhere: boolean;
  /** The page about signing in to the provider. */
  guide: string | undefined;
  /** How to find what the form of the provider asks for. */
  recipe: DeclaredRecipe | undefined;
  /** Where the address of the system is typed, or a part of it. */
  origin: DeclaredMode["origin"];
  /** What the provider has in this mode. Undefined while none is chosen. */
  readable: readonly Resource[] | undefined;
  /** The end user can sign in to the account again, and end the access. */
  canEndAccess: boolean;
  /** Binds each form to this flow and browser. */
  formToken: string;
}

type ClientProfile = Partial<
  Pick<Client, "logoDigest" | "purpose" | "privacyUrl" | "supportUrl" | "fieldsOff">
>;

/** Who asks, and of which system. */
export function asks(context: FlowPageContext): Html {
  const { texts, flow, client, profile, provider, isElsewhere } = context;
  const sentence = flow.tokenId
    ? texts.consent.asksAgain
    : provider === undefined
      ? texts.consent.asks
      : isElsewhere
        ? texts.consent.asksElsewhere
        : texts.consent.asksProvider;
  return html`<div class="between" aria-hidden="true">${clientTile(context, { name: client, ...profile })}<span class="line"></span>${providerTile(context)}</div>
<p class="asks">${formatMarkup(sentence, { client, provider })}</p>`;
}

/** The data and the purpose, what follows, and where it leads. */
export function consent(context: FlowPageContext): Html {
  const { texts, client, provider } = context;
  const lacking = lacks(context);
  return html`<section class="consent" aria-labelledby="consent">
<h2 id="consent">${formatMarkup(provider === undefined ? texts.consent.wants : texts.consent.allows, { client })}</h2>
${foldedConsent(context)}
<ul class="scopes unfolded">${listScopes(context)}</ul>
<ul class="terms"><li>${texts.consent.readOnly}</li>${lacking && html`<li class="unfolded">${lacking}</li>`}<li class="unfolded">${lasts(context)}</li>${!context.isHelper && html`<li class="returns">${returns(context)}</li>`}</ul>
<div class="unfolded">${aboutClient(context)}</div>
</section>`;
}

/**
 * On a narrow screen the kinds of data stand before the form in a few lines, and open to the whole list and to what
 * the client says of itself.
 */
function foldedConsent(context: FlowPageContext): Html {
  const { texts, flow } = context;
  const lacking = lacks(context);
  return html`<details class="folded"><summary><span class="kinds">${nameScopes(context, flow.scopes).join(", ")}</span>
<span class="more">${texts.consent.details}</span></summary>
<ul class="scopes">${listScopes(context)}</ul>
${lacking && html`<p class="soft">${lacking}</p>`}<p class="soft">${lasts(context)}</p>
${aboutClient(context)}</details>`;
}

function listScopes(context: FlowPageContext): Html[] {
  const { texts, flow } = context;
  return endpointsToName(flow.scopes).map((path) => {
    const holds = holdsOf(context, path);
    return html`<li>${formatMarkup(texts.consent.scope, { ...texts.scopes[path], holds })}</li>`;
  });
}

/** What is switched off is not read, so it is not named. */
function holdsOf({ texts, locale, profile }: FlowPageContext, path: EndpointPath): string {
  return endpoints[path].resource === "employees"
    ? tellEmployeeData(locale, texts.employeeData, profile.fieldsOff)
    : (texts.scopes[path].holds ?? "");
}

function lasts(context: FlowPageContext): Html {
  const { texts, client, canEndAccess } = context;
  return html`${formatMarkup(texts.consent.lasts, { client })}${canEndAccess && html` ${accessesLink(context)}`}`;
}

/** The data that is asked for and that the provider does not have. */
function lacks({ texts, flow, provider, readable }: FlowPageContext): HtmlValue {
  const lacking = endpointsToName(flow.scopes).filter((path) => {
    const { resource } = endpoints[path];
    return resource !== null && readable?.includes(resource) === false;
  });
  if (lacking.length === 0) return undefined;
  const data = lacking.map((path) => texts.scopes[path].name).join(", ");
  return formatMarkup(texts.consent.lacks, { provider, data });
}

function aboutClient(context: FlowPageContext): HtmlValue {
  return [purposeOf(context), profileLinks(context)];
}

/** Opens beside the sign-in, which stays as it is. */
function accessesLink({ texts }: FlowPageContext): Html {
  return html`<a href="${accessesPath}" target="_blank" rel="noopener">${texts.accesses.link}<span class="unseen"> (${texts.form.newTab})</span></a>`;
}

/** In the words of the client, and marked as such. */
function purposeOf({ texts, client, profile }: FlowPageContext): HtmlValue {
  const { purpose } = profile;
  if (!purpose) return undefined;
  return html`<p class="purpose">${formatMarkup(texts.consent.purpose, { client, purpose })}</p>`;
}

function profileLinks({ texts, client, profile }: FlowPageContext): HtmlValue {
  const { privacyUrl, supportUrl } = profile;
  const links = [
    { url: privacyUrl, text: texts.consent.privacy },
    { url: supportUrl, text: texts.consent.support },
  ].flatMap(({ url, text }) => {
    if (!url) return [];
    const isPage = url.startsWith("https:");
    const attributes = isPage && html` target="_blank" rel="noopener noreferrer"`;
    const note = isPage && html` <span class="unseen">(${texts.form.newTab})</span>`;
    return [
      html`<li><a href="${url}"${attributes}>${formatMarkup(text, { client })}${note}</a></li>`,
    ];
  });
  return links.length > 0 && html`<ul class="links">${links}</ul>`;
}

export function kept(
  context: FlowPageContext,
  { keepsSecret, fields }: { keepsSecret: boolean; fields: readonly FormField[] },
): Html {
  const { texts, client, provider, isElsewhere } = context;
  const settings = fields
    .filter(({ isSetting }) => isSetting)
    .map(({ title }) => translateText(context, title).text);
  const names = { client, provider, fields: settings.join(", ") };
  const sentences = [
    isElsewhere ? texts.kept.grant : keepsSecret ? texts.kept.secret : texts.kept.session,
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
function tile(name: string): HtmlValue {
  return html`<span class="tile" aria-hidden="true">${/[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase()}</span>`;
}

/** A picture that the client uploaded, where the operator shows those, or the letter. */
export function clientTile(
  { brand }: Pick<PageContext, "brand">,
  { name, logoDigest }: Pick<Client, "name"> & Pick<ClientProfile, "logoDigest">,
): HtmlValue {
  return logoDigest && brand.ofClients !== "off" ? picture(logoPath(logoDigest)) : tile(name);
}

/** The simulated provider is ours. */
function providerTile(context: FlowPageContext): HtmlValue {
  const { provider, isSimulated, flow } = context;
  if (provider === undefined) return html`<span class="tile unknown"></span>`;
  return isSimulated ? flask : markOf(context, flow.provider ?? "", provider);
}

/** Marks of vendors are theirs: a provider has a letter, or what the operator put in. */
export function markOf(
  { brand }: Pick<PageContext, "brand">,
  provider: string,
  title: string,
): HtmlValue {
  const mark = brand.marks.get(provider);
  return mark ? picture(mark.path) : tile(title);
}

const flask = html`<span class="tile"><svg class="flask" width="24" height="24" focusable="false"
><path d="M9 3.5h6M10.2 3.5v6.2L5 18.4a1.4 1.4 0 0 0 1.2 2.1h11.6a1.4 1.4 0 0 0 1.2-2.1l-5.2-8.7V3.5M8 14.2h8"></path></svg></span>`;

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
