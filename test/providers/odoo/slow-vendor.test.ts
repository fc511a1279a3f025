import { afterEach, expect, test } from "vitest";
import { startSlowVendor } from "../../support/vendors/slow-vendor.ts";
import { closeAll, Customer } from "../../support/odoo-customer.ts";

afterEach(closeAll);

test("the vendor of the chaos run is an Odoo whose people, groups and places can be read, before and after a change", async () => {
  const vendor = await startSlowVendor({ employees: 450 });
  try {
    const customer = new Customer(vendor.url);
    const session = await customer.signIn("anybody");
    expect(await customer.inspect(session)).toMatchObject({
      unsupported: [],
      forbidden: [],
      limited: {},
    });
    expect(await customer.read("company", session)).toHaveLength(1);
    expect(await customer.read("groups", session)).toHaveLength(30);
    expect(await customer.read("work-locations", session)).toHaveLength(8);
    const before = await customer.read("employees", session);
    expect(before).toHaveLength(450);
    vendor.control({ change: 50 });
    const after = await customer.read("employees", session);
    expect(
      after.filter((employee, at) => employee.job_title !== before[at]?.job_title),
    ).toHaveLength(50);
  } finally {
    await vendor.close();
  }
});

test("it can give employees with what they point to, so that a poll of it is two requests", async () => {
  const vendor = await startSlowVendor({ employees: 150, isNested: true });
  try {
    const customer = new Customer(vendor.url);
    const session = await customer.signIn("anybody");
    const { next } = await customer.readSince(session);
    const { next: since, people } = await customer.readSince(session, next);
    expect(people).toHaveLength(150);
    expect(await customer.readSince(session, since)).toMatchObject({ people: [], requests: 2 });
    vendor.control({ change: 3 });
    expect((await customer.readSince(session, since)).people).toHaveLength(3);
  } finally {
    await vendor.close();
  }
});
