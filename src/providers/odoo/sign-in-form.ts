import { z } from "zod";
import { formField } from "../form-field.ts";

export const signInForm = z.object({
  url: formField(
    {
      title: "Address of your Odoo",
      isAddress: true,
      placeholder: "https://example.odoo.com",
      help: "What your browser shows when you use Odoo.",
      autocomplete: "url",
    },
    z.string().refine((value) => toOrigin(value) !== null, {
      error: "Please type a web address, such as https://example.odoo.com.",
    }),
  ),
  database: formField({
    title: "Database",
    help: "The part before .odoo.com, unless your administrator says otherwise.",
    autocomplete: "off",
  }),
  username: formField({ title: "Email", autocomplete: "username" }),
  password: formField({ title: "Password", isSecret: true, autocomplete: "current-password" }),
});

/**
 * The origin of the address that a person typed, https by default. Null when it is not a web
 * address.
 */
export function toOrigin(typed: string): string | null {
  const address = typed.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" ? url.origin : null;
}
