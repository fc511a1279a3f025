// @ts-check
/**
 * Which field of ours comes from where.
 * @param {import("@rollcall/provider").Kit} kit
 */
export const defineTables = (kit) => {
  const { text, day, oneOf } = kit.read;

  // What is read of a person of Acme, and how.
  const person = kit.defineSource({
    id: text,
    name: { given: text, family: text },
    email: text,
    job_title: text,
    state: oneOf({ working: "active", away: "leave", gone: "inactive" }),
    born: day,
    starts_on: day,
    ends_on: day,
  });
  const employees = kit.defineFields("employees", person, {
    remote_id: "id",
    first_name: "name.given",
    last_name: person.or("name.family", ""),
    work_email: "email",
    job_title: "job_title",
    employment_status: "state",
    date_of_birth: "born",
    start_date: "starts_on",
    termination_date: "ends_on",
  });

  const team = kit.defineSource({ id: text, name: text });
  const groups = kit.defineFields("groups", team, {
    remote_id: "id",
    name: "name",
    type: kit.always("team"),
  });

  return { employees, groups };
};
