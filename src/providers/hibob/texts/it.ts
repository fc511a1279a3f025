export const it = {
  "Service user ID": "ID dell’utente di servizio",
  Token: "Token",
  "An administrator makes a service user in Bob. Bob shows its token once.":
    "Un amministratore crea un utente di servizio in Bob. Bob ne mostra il token una sola volta.",
  "Time zone of the company": "Fuso orario dell’azienda",
  "Working times in Bob have no time zone. Leave this empty for UTC.":
    "Bob fornisce gli orari di lavoro senza fuso orario. Lasci vuoto questo campo per UTC.",
  "Please type a time zone, such as Europe/Berlin.":
    "Inserisca un fuso orario, ad esempio Europe/Berlin.",
  "This service user is of another company than the one that is connected. Please use one of the same company.":
    "Questo utente di servizio è di un’azienda diversa da quella collegata. Ne utilizzi uno della stessa azienda.",
  "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.":
    "Questo utente di servizio non vede nessuno. Lo aggiunga in Bob a un gruppo di autorizzazioni che possa vedere «Basic info» di tutti.",
};
