import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ProviderRequest, ProviderResponse } from "../../../src/platform/outbound/index.ts";
import type { ProviderContext } from "../../../src/providers/contract.ts";
import { ProviderBug } from "../../../src/providers/errors.ts";
import { kit } from "../../../src/providers/kit.ts";
import type { BodyFormat } from "../../../src/providers/kit/body-format.ts";

/** An answer with these bytes, or with this text in UTF-8. */
function answerOf(body: string | Uint8Array, type = "application/octet-stream"): ProviderResponse {
  const bytes = Buffer.from(body);
  const text = (): string => bytes.toString();
  return {
    status: 200,
    headers: { "content-type": type },
    bytes,
    text,
    json: () => JSON.parse(""),
  };
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

/** Reads a body. */
function reading(format: BodyFormat, body: string | Uint8Array): () => unknown {
  return () => format.read(answerOf(body), "GET /people");
}

describe("XML", () => {
  const slips = kit.xml({ lists: { slips: "slip", slip: ["line", "tax"] }, records: ["pay"] });

  test.each<[what: string, body: string | Uint8Array, expected: unknown]>([
    ["attributes and texts", '<a id="1"><b>x</b></a>', { a: { "@id": "1", b: "x" } }],
    [
      "no value",
      '<a><b xsi:nil="true"/><c xsi:nil="false">1</c><d nil="1" id="2"/></a>',
      { a: { b: null, c: "1", d: { "@id": "2" } } },
    ],
    ["a text beside attributes", "<a id='1'> x </a>", { a: { "@id": "1", "#text": "x" } }],
    ["an empty element as null", "<a><b/><c></c></a>", { a: { b: null, c: null } }],
    [
      "a list of one",
      "<slips><slip><line>1</line></slip></slips>",
      {
        slips: { slip: [{ line: ["1"], tax: [] }] },
      },
    ],
    ["a list of none", "<slips/>", { slips: { slip: [] } }],
    ["an element that is always a record", "<pay>5</pay>", { pay: { "#text": "5" } }],
    ["the five entities", "<a>&amp;&lt;&gt;&quot;&apos;</a>", { a: "&<>\"'" }],
    [
      "numeric references",
      "<a x='&#241;'>&#xD1;&#128512;</a>",
      { a: { "@x": "ñ", "#text": "Ñ😀" } },
    ],
    ["an entity once", "<a>&amp;lt;</a>", { a: "&lt;" }],
    ["CDATA as it is", "<a><![CDATA[<b>&amp;]]></a>", { a: "<b>&amp;" }],
    [
      "comments and instructions",
      "<?xml version='1.0'?><!-- <x> --><a><?b c?>1<!----></a>\n",
      {
        a: "1",
      },
    ],
    [
      "no prefixes",
      '<s:a xmlns:s="urn:x" xmlns="y" s:id="1"><s:b>2</s:b></s:a>',
      {
        a: { "@id": "1", b: "2" },
      },
    ],
    ["spaces within tags", "<a\n x = '1'\t><b /></a >", { a: { "@x": "1", b: null } }],
    [
      "a name that objects have",
      "<a><__proto__>1</__proto__></a>",
      {
        a: Object.fromEntries([["__proto__", "1"]]),
      },
    ],
    ["UTF-8 with a mark", "\uFEFF<a>ñ</a>", { a: "ñ" }],
    ["UTF-16", Buffer.from("\uFEFF<a>ñ</a>", "utf16le"), { a: "ñ" }],
    [
      "the encoding of its first line",
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>ñ</a>'),
      {
        a: "ñ",
      },
    ],
  ])("has %s", (_what, body, expected) => {
    expect(slips.read(answerOf(body))).toEqual(expected);
  });

  test.each([
    ["a document type", "<!DOCTYPE a><a/>", "has a document type"],
    [
      "a billion laughs",
      '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
      "has a document type",
    ],
    ["an entity of its own", "<a>&c;</a>", "has an entity that is not one of XML"],
    ["a reference to no character", "<a>&#xD800;</a>", "has an entity that is not one of XML"],
    ["a reference without end", "<a>& b</a>", "has an entity that is not one of XML"],
    [
      "a million elements inside of each other",
      "<a>".repeat(1_000_000),
      "has too many elements inside of others",
    ],
    ["more values than are kept", `<a>${"x<?y?>".repeat(2_000_000)}</a>`, "has too many values"],
    ["an end in the middle", "<a><b>", "ends too early"],
    ["an end within a tag", '<a b="', "ends too early"],
    ["an end within a comment", "<a><!-- </a>", "ends too early"],
    ["nothing", " ", "ends too early"],
    ["another closing tag", "<a><b></a></b>", "closes what is not open"],
    ["two outermost elements", "<a/><b/>", "has two outermost elements"],
    ["a text outside", "<a/>x", "has a text outside of its elements"],
    ["an attribute twice", "<a b='1' b='2'/>", "has an attribute twice"],
    ["an attribute without quotes", "<a b=1/>", "has an attribute without quotes"],
    ["an attribute without a value", "<a b/>", "has an attribute without a value"],
    ["a tag within an attribute", "<a b='<c>'/>", "has a tag within an attribute"],
    ["a tag without a name", "<a>1 < 2</a>", "has a tag without a name"],
    [
      "an element twice that is no list",
      "<a><b/><b/></a>",
      "has more than one b: it has to be named in lists",
    ],
  ])("with %s breaks the read", (_what, body, expected) => {
    expect(reading(slips, body)).toThrow(new ProviderBug(`the XML of GET /people ${expected}`));
  });

  test("in another encoding than it says breaks the read", () => {
    expect(reading(slips, latin1("<a>ñ</a>"))).toThrow(
      new ProviderBug("GET /people was answered with a text that is not in its encoding"),
    );
    expect(kit.xml({ charset: "latin1" }).read(answerOf(latin1("<a>ñ</a>")))).toEqual({ a: "ñ" });
  });
});

describe("CSV", () => {
  const rows = kit.csv({ separator: ";" });

  test.each<[what: string, body: string | Uint8Array, expected: unknown]>([
    [
      "rows by the names of the first",
      "a;b\r\n1;2\r\n3;4",
      [
        { a: "1", b: "2" },
        { a: "3", b: "4" },
      ],
    ],
    [
      "empty cells, also the last",
      "a;b\n;\n1;",
      [
        { a: "", b: "" },
        { a: "1", b: "" },
      ],
    ],
    [
      "quotes, separators and ends of lines in quotes",
      'a;b\n"x;""y""";"1\r\n2"\n',
      [{ a: 'x;"y"', b: "1\r\n2" }],
    ],
    ["a quote in the middle of a cell", 'a;b\n5" wide;2', [{ a: '5" wide', b: "2" }]],
    ["no empty lines", "\na;b\n\n1;2\n\n\n", [{ a: "1", b: "2" }]],
    ["no rows", "a;b\n", []],
    ["a mark before it", "\uFEFFa;b\n1;2", [{ a: "1", b: "2" }]],
  ])("has %s", (_what, body, expected) => {
    expect(rows.read(answerOf(body, "text/csv"))).toEqual(expected);
  });

  test("has other separators, no row of names, and another encoding, where these are declared", () => {
    const declared = kit.csv({ separator: "\t", columns: ["a", "b"], charset: "windows-1252" });
    expect(declared.read(answerOf(latin1("1\tñ")))).toEqual([{ a: "1", b: "ñ" }]);
    const said = answerOf(latin1("a\nñ"), "text/csv; charset=ISO-8859-1");
    expect(kit.csv().read(said)).toEqual([{ a: "ñ" }]);
  });

  test.each([
    ["a row with fewer cells", "a;b\n1", "has 1 cells in record 1, and 2 columns"],
    ["a row with more cells", "a;b\n1;2\n1;2;3", "has 3 cells in record 2, and 2 columns"],
    ["another separator", "a,b\n1;2", "has 2 cells in record 1, and 1 columns"],
    ["two columns of one name", "a; a\n1;2", "has two columns of one name"],
    ["an end within quotes", 'a;b\n1;"2', "ends within quotes"],
    ["a text behind quotes", 'a;b\n"1"x;2', "has a text behind a closing quote"],
    ["a huge row", ";".repeat(2_000_001), "has too many values"],
  ])("with %s breaks the read", (_what, body, expected) => {
    expect(reading(rows, body)).toThrow(new ProviderBug(`the CSV of GET /people ${expected}`));
  });

  test.each(["", ";;", '"', "\n"])("is not declared with the separator %j", (separator) => {
    expect(() => kit.csv({ separator })).toThrow(TypeError);
  });
});

describe("a system that is declared", () => {
  const bodies: Readonly<Record<string, [type: string, body: string]>> = {
    "/slips": ["text/xml", '<slips><slip id="7"><pay>5</pay></slip></slips>'],
    "/shifts": ["text/csv; charset=utf-8", "id;hours\n1;8"],
    "/me": ["application/json", '{"name":"Ann"}'],
    "/page": ["text/html", "<html/>"],
  };
  const asked: ProviderRequest[] = [];
  const http = () => ({
    exportCookies: () => "",
    request: (request: ProviderRequest) => {
      asked.push(request);
      const [type = "", body = ""] = bodies[new URL(request.url).pathname] ?? [];
      return Promise.resolve({ ...answerOf(body, type), json: () => JSON.parse(body) as unknown });
    },
  });
  const api = kit.rest({
    session: z.object({}),
    origin: "https://acme.example",
    auth: () => ({}),
    format: kit.xml({ lists: { slips: "slip" } }),
  });
  const client = api.with({ http } as unknown as ProviderContext, {});

  test("answers lists in XML and CSV, and single requests in JSON", async () => {
    const slips = { path: "/slips", paging: { by: "none" }, items: kit.recordsAt("slips.slip") };
    expect(await client.all({ ...slips, paging: { by: "none" } })).toEqual([
      { "@id": "7", pay: "5" },
    ]);
    const shifts = { path: "/shifts", format: kit.csv({ separator: ";" }) };
    expect(await client.all({ ...shifts, paging: { by: "none" } })).toEqual([
      { id: "1", hours: "8" },
    ]);
    expect(await client.get("/me", { format: kit.json })).toEqual({ name: "Ann" });
    expect(asked.map(({ headers }) => headers?.["accept"])).toEqual([
      "application/xml, text/xml",
      "text/csv",
      "application/json",
    ]);
  });

  test("is looked at where an answer may be anything", () => {
    const tried = Object.values(bodies).map(([type, body]) =>
      kit.xml({ lists: { slips: "slip" } }).tryRead(answerOf(body, type)),
    );
    expect(tried.map((one) => one && Object.keys(one))).toEqual([
      ["slips"],
      undefined,
      undefined,
      undefined,
    ]);
    expect(kit.xml().tryRead(answerOf("{}", "application/xml"))).toBeUndefined();
  });

  test("is not read when it answers with a page", async () => {
    for (const format of [kit.xml(), kit.csv()])
      await expect(client.get("/page", { format })).rejects.toThrow(
        `GET /page was answered with what is not ${format.name}`,
      );
  });
});
