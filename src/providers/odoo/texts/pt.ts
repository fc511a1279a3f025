export const pt = {
  "Address of your Odoo": "Endereço do seu Odoo",
  "What your browser shows when you use Odoo.": "O que o seu navegador mostra quando utiliza Odoo.",
  "Please type a web address, such as https://example.odoo.com.":
    "Introduza um endereço web, por exemplo https://example.odoo.com.",
  Database: "Base de dados",
  "Leave this empty if your Odoo has only one. On odoo.com it is the part before .odoo.com.":
    "Deixe este campo vazio se o seu Odoo tiver apenas uma. Em odoo.com é a parte antes de .odoo.com.",
  "There is no Odoo at this address.": "Neste endereço não há nenhum Odoo.",
  "There is no such database at this address.": "Neste endereço não existe essa base de dados.",
  "This Odoo has several databases. Please type the name of yours, or ask your administrator for it.":
    "Este Odoo tem várias bases de dados. Introduza o nome da sua ou peça-o ao seu administrador.",
  "This Odoo does not tell the name of its database. Please type it, or ask your administrator for it.":
    "Este Odoo não indica o nome da sua base de dados. Introduza-o ou peça-o ao seu administrador.",
  "This is another Odoo than the one that is connected. Please use the same address and database as before.":
    "Este Odoo não é o que está ligado. Utilize o mesmo endereço e a mesma base de dados que antes.",
  "Code from your authenticator app or from the e-mail that Odoo sent you":
    "Código da sua aplicação de autenticação ou do e-mail que Odoo lhe enviou",
  "This account does not have the company that is connected. Please use another account of your Odoo.":
    "Esta conta não tem acesso à empresa ligada. Utilize outra conta do seu Odoo.",
  "This account may read nothing of what is asked for. In Odoo it lacks the right {right}.":
    "Esta conta não pode ler nada do que é pedido. Em Odoo falta-lhe a permissão {right}.",
  "This Odoo is version {version}. The oldest that can be read is version 14.":
    "Este Odoo tem a versão {version}. A mais antiga que pode ser lida é a versão 14.",
  "This Odoo is version {version}. The oldest that can be read with an API key is version 19.":
    "Este Odoo tem a versão {version}. A mais antiga que pode ser lida com uma chave da API é a versão 19.",
  "Which company?": "Que empresa?",
  Timesheets: "Registos de horas",
  "Which records of Odoo say how long people worked.":
    "Que dados de Odoo indicam quanto tempo se trabalhou.",
  Attendances: "Assiduidades",
  "Timesheets of projects": "Registos de horas dos projetos",
  "Categories of salary rules": "Categorias das regras salariais",
  "Only if your payroll has categories of its own: the code of each and what it is.":
    "Apenas se o seu processamento salarial tiver categorias próprias: o código de cada uma e o que é.",
  "Please type codes such as INCTAX=tax, with a comma between two.":
    "Introduza códigos como INCTAX=tax, separados por vírgulas.",
  "You make it in Odoo under My Preferences, Security. It has your rights.":
    "Cria-a em Odoo, nas suas preferências («My Preferences»), em «Segurança». Tem as suas permissões.",
};
