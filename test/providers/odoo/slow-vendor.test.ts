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
