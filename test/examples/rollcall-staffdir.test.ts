import { expect, test } from "vitest";
import type { SignInContext } from "../../src/providers/contract.ts";
import { FieldError } from "../../src/providers/errors.ts";
import { loadStaffdir } from "../support/staffdir.ts";

const { definition } = await loadStaffdir();
const mode = definition.modes.xhr!;

async function signInAgain(company: string) {
  const asked: string[] = [];
  const request = async ({ url }: { url: string }) => {
    asked.push(url);
    return { status: 200, json: () => ({ token: "t2", renewal: "r2" }) };
  };
  const context = {
    previousSession: { company: "lindgren", token: "t1", renewal: "r1" },
    http: () => ({ request }),
  } as unknown as SignInContext;
  const typed = { company, username: "ada@lindgren.example", password: "right" };
  const outcome = await mode.login(context, typed).catch((error: unknown) => error);
  return { asked, outcome };
}

test("who signs in to StaffDir again for another company is refused before anything is sent", async () => {
  const { asked, outcome } = await signInAgain("other");
  expect(outcome).toBeInstanceOf(FieldError);
  expect(outcome).toMatchObject({ field: "company" });
  const { explanation } = outcome as FieldError;
  for (const language of ["de", "es", "fr"] as const)
    expect(definition.texts?.[language]?.[explanation]).toBeTruthy();
  expect(asked).toEqual([]);
});

test("the same company in another spelling may sign in again", async () => {
  const { asked, outcome } = await signInAgain(" Lindgren ");
  expect(outcome).toMatchObject({ session: { company: "lindgren", token: "t2" } });
  expect(asked).toHaveLength(1);
});
