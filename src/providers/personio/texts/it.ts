export const it = {
  "Client ID": "ID client",
  "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
    "Crei nelle impostazioni di Personio delle credenziali API con il permesso di lettura e con gli attributi dei dipendenti da condividere.",
  "Client secret": "Client secret",
  "Time zone of the company": "Fuso orario dell’azienda",
  "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.":
    "Personio fornisce gli orari di lavoro senza fuso orario. Lasci vuoto questo campo per Europe/Berlin.",
  "Please type a time zone, such as Europe/Berlin.":
    "Inserisca un fuso orario, ad esempio Europe/Berlin.",
  "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.":
    "Non risulta che queste credenziali appartengano all’azienda collegata. Utilizzi l’ID client precedente o credenziali che possano leggerne le entità giuridiche.",
};
