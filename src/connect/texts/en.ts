import type { AuthErrorCode, EndpointPath } from "../../model/index.ts";

/** One sentence for each plural form of a language, by the names of Unicode; `other` also for those that it lacks. */
type Counted = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { other: string };

/** What a connection with the scope of the endpoint lets the client read. Of employees `employeeData` says it. */
const scopes: Record<EndpointPath, { name: string; holds?: string }> = {
  company: { name: "Company", holds: "name, tax number, address" },
  employee: { name: "Individual employees" },
  employees: { name: "Employees" },
  groups: { name: "Groups", holds: "departments and teams" },
  identity: { name: "Your account", holds: "your name, email address and phone number" },
  payruns: { name: "Pay runs", holds: "periods and payment dates" },
  "payruns/:payrun_id": { name: "Payslips", holds: "earnings, taxes and deductions" },
  "time-off-balances": { name: "Time off balances", holds: "days used and days left" },
  "time-off-entries": { name: "Absences", holds: "holidays, sick leave and other time off" },
  timesheets: { name: "Timesheets", holds: "hours worked" },
  "work-locations": { name: "Work locations", holds: "names and addresses" },
};

/** Why the provider refused the sign-in, and what to do. */
const refusals: Record<AuthErrorCode, string> = {
  incorrect_username_or_password:
    "{provider} didn’t accept this {fields}. Check what you entered and try again. If you’ve lost your password or key, reset it at {provider} first.",
  incorrect_mfa_or_otp: "This code is wrong or has expired. Please enter a new one.",
  reauthentication_required:
    "{provider} ended the session right after you signed in. Please sign in again.",
  additional_account_setup_required:
    "{provider} needs you to do something first, such as set a new password. Sign in to {provider} in another tab, follow its instructions, then try again here.",
  captcha_challenge:
    "{provider} is asking you to prove you’re not a robot, which can’t be done here. Sign in to {provider} once in another tab, wait a few minutes, then try again here.",
  insufficient_permission:
    "You’re signed in, but this account isn’t allowed to read everything {client} asks for. Sign in with an administrator account, or ask your {provider} administrator to give this one permission.",
};

/** Everything that an end user reads, in English; the other languages have the same keys. What stands in braces is filled in. */
export const en = {
  language: "English",
  title: {
    choose: "Choose your HR or payroll system",
    signIn: "Sign in to {provider}",
    working: "Signing in to {provider}",
    question: "One more step",
    approval: "Approve the sign-in",
    failed: "Sign-in failed",
    done: "You’re connected",
    declined: "Nothing was shared",
    expired: "This sign-in has expired",
    used: "This link has already been used",
    unknown: "This sign-in is no longer open",
    nowhere: "There’s nothing here",
    link: "This link doesn’t work",
    forged: "This form can’t be accepted",
    tooMany: "One moment, please",
    trouble: "Something went wrong",
    accesses: "Applications with access",
    closed: "You’re signed out",
    /** Of the browser's tab, when the last try came to nothing. */
    problem: "Problem: {title}",
  },
  consent: {
    asks: "{client} uses Rollcall to read data from your HR or payroll system. Choose the one your company uses.",
    asksProvider:
      "{client} uses Rollcall to read data from {provider}. You allow this by signing in to {provider} here.",
    asksElsewhere: "{client} uses Rollcall to read data from {provider}.",
    asksAgain:
      "{client} asks you to sign in to {provider} again so that it can keep reading the same data. Please use the same account as before.",
    wants: "{client} would like to read:",
    allows: "By signing in you allow {client} to read:",
    scope: "{name}: {holds}",
    details: "Details",
    readOnly: "Read-only access: nothing in your system is changed.",
    lacks: "{provider} doesn’t have this data, or can’t give it to us: {data}.",
    lasts: "Access lasts until you or {client} end it.",
    returns: "Afterwards you’ll return to {host}.",
    returnsHere: "Afterwards you’ll return to the application on this computer.",
    purpose: "What {client} says it’s for: “{purpose}”",
    privacy: "{client}’s privacy policy",
    support: "Get help from {client}",
  },
  scopes,
  employeeData: {
    contact: "contact details",
    job: "job",
    pay: "pay",
    bank_account: "bank account",
    tax_id: "tax number",
    date_of_birth: "date of birth",
    nationality: "nationality",
    gender: "gender",
    ethnicity: "ethnicity",
    marital_status: "marital status",
    relatives: "relatives",
    emergency: "emergency contacts",
  },
  /** On the pages of the simulated provider. */
  test: {
    band: "Test: no real data",
    refused: "user_bad_password is always refused; try user_good.",
    otp: "In the sandbox, the code is 123456.",
  },
  choose: {
    search: "Find your system",
    submit: "Search",
    none: "No results for “{search}”. Check the spelling, or tell {client} that your system is missing.",
    nothing: "There are no systems to choose from. Please tell {client}.",
    count: { one: "1 system", other: "{count} systems" } as Counted,
  },
  form: {
    submit: "Sign in and connect",
    answer: "Continue",
    decline: "Cancel and go back to {client}",
    other: "Choose another system",
    show: "Show",
    hide: "Hide",
    otpWhy: "{provider} wants to make sure it’s you.",
    askWhy: "{provider} needs one more thing from you.",
    again:
      "Nothing was passed on: this page was open for too long, or your browser didn’t send a cookie with the form. Please fill it in again. If you see this message twice, allow cookies for this page.",
    wrongAnswer: "{provider} didn’t accept this answer. Please try again.",
    guide: "How to connect {provider}",
    found: "Found your {system} at {address}.",
    settings: "Settings that you can leave as they are",
    otherAddress: "Change the address",
    where: "Where to find this",
    newTab: "opens in a new tab",
    secret: {
      passed: "Rollcall passes this to {provider} once and doesn’t keep it.",
      kept: "Rollcall stores this in encrypted form and sends it to {provider} with every request.",
      simulated: "{provider} isn’t a real system: this is neither passed on nor kept.",
    },
    unseen: "{client} never sees it.",
  },
  recipe: {
    share: "This explanation as a page that you can send to a colleague",
    shared:
      "This is for whoever has the key or password of {provider}. It is typed only into the page of the sign-in: don’t send it by email or chat. Whoever sent you this page can open the sign-in with you.",
    rights: "Which rights to choose",
    ending: "How to end the access in {provider} later",
    drawn: "The drawings are simplified. Your {provider} may look different.",
    drawing: "Drawing. Marked: {label}.",
  },
  elsewhere: {
    submit: "Continue to {provider}",
    text: "You sign in on {provider}’s own page and approve the access there. Then you come back here.",
    working:
      "Rollcall is completing the sign-in with {provider}. This usually takes a few seconds.",
  },
  kept: {
    title: "What we store, for how long, and how to disconnect",
    session:
      "Your password is used once, to sign in, and isn’t stored. Rollcall stores, in encrypted form, the session {provider} opens in return, along with the account’s name, email address and phone number.",
    secret:
      "Rollcall stores, in encrypted form, the key you enter, because {provider} asks for it with every request, along with the account’s name, email address and phone number.",
    grant:
      "You sign in at {provider}, and Rollcall never sees your password. Rollcall stores, in encrypted form, the access {provider} grants, along with the account’s name, email address and phone number.",
    settings:
      "What you choose under “{fields}” is stored in encrypted form for as long as the connection lasts.",
    data: "Data {client} reads is stored in encrypted form for up to 14 days after it is fetched. If {client} receives change notifications, the latest list of employees is stored for comparison for as long as the connection lasts.",
    end: "To disconnect, ask {client}: access ends at once, and the session and data are deleted here. Changing your password or revoking the key at {provider} usually ends access too.",
    after: "{client} is responsible for the data it has already read.",
  },
  working: {
    text: "{provider} is checking what you entered. This usually takes a few seconds and rarely more than a minute.",
    stay: "You don’t have to do anything. This page continues automatically. Until then, nothing is shared with {client}.",
    refresh: "Check now",
  },
  approval: {
    stay: "Once you’ve approved it, this page continues automatically, which can take half a minute. Until then, nothing is shared with {client}.",
  },
  refusals,
  problems: {
    choice: "Please choose one of the options.",
    "other-account":
      "You signed in to another {provider} account than the one that {client} was connected with. Please sign in with that account.",
    unapproved:
      "The sign-in wasn’t approved. Please sign in again and approve it when {provider} asks you to.",
    throttled:
      "Too many sign-ins to this account have failed within an hour, so what you entered was not passed on to {provider}. A browser or network where this account was connected before has attempts of its own, and so has a personal link, which the application can send you. If you have none of these, or have used them up, please try again in an hour.",
    unavailable:
      "{provider} can’t be reached or is too busy. There’s nothing wrong with what you entered. Please try again in a few minutes.",
    unsupported:
      "{provider} doesn’t offer what this connection needs. Please cancel and tell {client}.",
    broken:
      "{provider} gave an unexpected answer. Please try again. If it happens again, tell {client}.",
    interrupted: "The sign-in was interrupted before {provider} answered. Please sign in again.",
  },
  failed: {
    text: "{provider} refused the sign-in too many times, so this attempt has ended and nothing was shared. Go back to {client} and start again when you have the right details.",
    back: "Back to {client}",
  },
  done: {
    text: "{client} is connected to {provider}. You can close this page and continue in {client}.",
    declined:
      "You cancelled the sign-in. {client} got no access, and what you entered was deleted. You can close this page or start again from {client}.",
    declinedAgain:
      "You cancelled the sign-in, and what you entered was deleted. The connection between {client} and {provider} is unchanged. You can close this page or start again from {client}.",
  },
  handover: {
    offer: "Send this to a colleague",
    title: "A colleague signs in for you",
    how: "Send this link to the person who has the login. It works for one person and for 60 minutes.",
    link: "Link for your colleague",
    mail: "Write an email with the link",
    mailSubject: "Please sign in for {client}",
    tell: "Then tell them these six digits by phone or in person, not in the same message:",
    waiting:
      "Nobody has opened it with the digits yet. Keep this page open: it continues automatically.",
    helping: "Your colleague is signing in. Keep this page open: it continues automatically.",
    back: "Sign in myself instead",
    asked: "You’re asked to sign in",
    asksProvider:
      "{client} would like to read data from {provider}. The person who sent you this link asks you to sign in for them.",
    asksAny:
      "{client} would like to read data from your HR or payroll system. The person who sent you this link asks you to sign in for them.",
    digits: "Six digits",
    help: "The person who sent you the link sees them on their page and tells you by phone or in person. If you don’t know who that is, close this page.",
    wrong: "These aren’t the right digits. Ask the person who sent you the link.",
    thanks: "Thank you",
    done: "You’ve signed in to {provider}. {client} continues in the browser of the person who asked you. You can close this page.",
    stopped:
      "This sign-in has ended, and nothing was shared. The person who asked you can send you a new link.",
  },
  accesses: {
    choose:
      "Here you can see which applications read data from your HR or payroll account through Rollcall, and end their access. First choose the system the account belongs to.",
    noneFound: "No results for “{search}”. Check the spelling.",
    nothing: "No system can be signed in to here.",
    asks: "Sign in to {provider} to see which applications can read data from this account, and to end their access. Use the account you connected them with. Nothing is shared by signing in here.",
    submit: "Sign in",
    cancel: "Cancel",
    stay: "You don’t have to do anything. This page continues automatically.",
    list: "These applications can read data from your {provider} account through Rollcall:",
    still: "These applications still have access to your {provider} account:",
    none: "No application can read data from this {provider} account through Rollcall.",
    since: "Access since {date}",
    reads: "Reads: {scopes}",
    end: "End access",
    endOf: "of {client}",
    settings: "Settings",
    settingsWhy:
      "These settings decide how {client} reads your data. A change counts from the next time it is fetched, without another sign-in.",
    save: "Save",
    saved: "The settings have been saved.",
    endTitle: "End the access of {client}?",
    stops:
      "{client} can then no longer read anything from your {provider} account. The access ends at once, and the session and the data stored here are deleted. {client} is responsible for the data it has already read. To connect again, start from {client}.",
    othersStay: "Access not affected by this: {clients}.",
    keep: "Keep the access",
    ended: "The access has ended.",
    ends: "Ending access takes effect at once, and the session and the data stored here are deleted. An application is responsible for the data it has already read.",
    missing:
      "Is one missing? Access given with another account or key isn’t shown here, and neither is access given before this page existed. Ask the application to disconnect.",
    signOut: "Sign out",
    closed: "This browser no longer has access to this page.",
    again: "Sign in again",
    failed: "{provider} refused the sign-in too many times, so this attempt has ended.",
    link: "See and end access",
    kept: "You can also end access yourself at any time:",
  },
  errors: {
    expired:
      "For your security, a sign-in is only open for a limited time. Go back to the application that sent you here and start again.",
    used: "A link works once, in one browser. If you’ve started to sign in, continue in the browser where you started. Otherwise, go back to the application that sent you here and ask for a new link.",
    unknown:
      "It may have ended or expired, or it was started in another browser. Go back to the application that sent you here and start again. If you end up on this page again, check that your browser allows cookies for it.",
    nowhere:
      "There is no page at this address. Check its spelling, or go back to where you came from.",
    home: "Go to the start page",
    link: "The link is incomplete or incorrect. Nothing was shared. Go back to the application that sent you here and try again. If it happens again, contact its support team.",
    detail: "For its developers:",
    clientUnknown: "client_id is unknown.",
    redirectUnknown:
      "redirect_uri doesn’t match any of the client’s registered addresses exactly. Usual causes: a slash at the end, http instead of https, localhost instead of 127.0.0.1.",
    repeated: "client_id or redirect_uri is missing or appears more than once.",
    forged:
      "It wasn’t sent from this page as it was shown to you. Nothing was passed on to your system.",
    tooMany: "Too many requests have come from your network. Please wait a minute, then try again.",
    unavailable: "The sign-in can’t be shown right now. Please try again in a minute.",
    server:
      "That was our mistake. Please try again in a minute. If it happens again, contact the support team of the application that sent you here.",
    reference: "If you ask for help, mention this reference: {reference}",
    again: "Try again",
    reopen: "Reopen the sign-in",
  },
  footer: {
    about: "Rollcall connects applications to HR and payroll systems, read-only.",
    operator: "Operated by {operator}",
    privacy: "Privacy",
    imprint: "Imprint",
    support: "Support",
    language: "Language",
  },
  /** What adapters say in English, word for word. */
  adapters: {} as Readonly<Record<string, string>>,
};

export type Texts = typeof en;
